"""The site.

That the server answers as ``/openapi.json`` says is tested with a program of its own, beside the
suite because it takes minutes::

    pip install schemathesis
    kg demo --store STORE && kg serve --store STORE
    schemathesis run http://127.0.0.1:7878/openapi.json --phases examples,coverage,fuzzing \\
        --max-examples 5 --continue-on-failure
"""
