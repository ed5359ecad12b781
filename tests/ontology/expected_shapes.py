"""What the shapes must say, class by class, written down apart from ``ontology/shapes.ttl``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Expected:
    """The properties of a class by the kind of their values, as prefixed names."""

    strings: str = ""
    iris: str = ""
    integers: str = ""
    decimals: str = ""
    booleans: str = ""
    dates: str = ""
    days: str = ""
    times: str = ""
    years: str = ""
    codes: str = ""
    things: str = ""
    required: str = ""
    once: str = ""
    many: str = ""

    def properties(self) -> set[str]:
        return set(self.once.split()) | set(self.many.split())


EXPECTED = {
    "Paper": Expected(
        strings=(
            "kg:slug dct:title dct:abstract kg:shortAbstract kg:rawDate kg:arxivId kg:rawArxivId "
            "kg:nipsId kg:openreviewId kg:proceeding kg:venue kg:conference kg:firstAuthorName "
            "kg:url bibo:doi"
        ),
        iris=(
            "kg:abstractPage kg:pdf kg:conferencePage kg:conferencePdf foaf:page schema:sameAs "
            "rdfs:seeAlso"
        ),
        integers="kg:arxivVersion kg:venueYear kg:venueMonth",
        dates="dct:issued",
        things=(
            "kg:authorship kg:task kg:method kg:introduces kg:codeLink kg:sampleLink "
            "prov:wasDerivedFrom"
        ),
        once=(
            "kg:slug dct:title dct:abstract kg:shortAbstract dct:issued kg:rawDate kg:arxivId "
            "kg:rawArxivId kg:nipsId kg:openreviewId kg:arxivVersion kg:proceeding kg:venue "
            "kg:venueYear kg:venueMonth kg:conference kg:firstAuthorName kg:abstractPage kg:pdf "
            "kg:conferencePage kg:conferencePdf"
        ),
        many=(
            "kg:authorship kg:task kg:method kg:introduces kg:codeLink kg:sampleLink foaf:page "
            "kg:url bibo:doi schema:sameAs rdfs:seeAlso prov:wasDerivedFrom"
        ),
    ),
    "Authorship": Expected(
        strings="kg:authorName",
        integers="kg:position",
        required="kg:position kg:authorName",
        once="kg:position kg:authorName",
    ),
    "Dataset": Expected(
        strings=(
            "kg:slug rdfs:label kg:fullName dct:description kg:shortDescription "
            "kg:descriptionWithheld dct:rights kg:variantName kg:parentDataset kg:rawDate "
            "kg:issuedNote kg:introducedByTitle kg:introducedByFirstAuthor kg:verifiedName "
            "kg:verifiedPaperTitle kg:warning kg:url"
        ),
        iris=(
            "dcat:landingPage kg:image kg:audio kg:thumbnail kg:defaultImage kg:verifiedImage "
            "kg:video dct:license kg:introducedByPage kg:verifiedPaper foaf:page rdfs:seeAlso"
        ),
        integers="kg:paperCount kg:mentionCount",
        dates="dct:issued",
        codes="kg:modality kg:language",
        things="kg:task kg:subdatasetOf kg:citation kg:dataLoader prov:wasDerivedFrom",
        once=(
            "kg:slug rdfs:label kg:fullName dct:description kg:shortDescription "
            "kg:descriptionWithheld dcat:landingPage kg:image kg:audio kg:thumbnail "
            "kg:defaultImage kg:verifiedImage kg:video dct:license dct:rights kg:parentDataset "
            "kg:subdatasetOf kg:paperCount kg:mentionCount dct:issued kg:rawDate kg:issuedNote "
            "kg:introducedByTitle kg:introducedByPage kg:introducedByFirstAuthor kg:verifiedName "
            "kg:verifiedPaper kg:verifiedPaperTitle kg:warning"
        ),
        many=(
            "kg:modality kg:language kg:task kg:variantName kg:citation kg:dataLoader foaf:page "
            "kg:url rdfs:seeAlso prov:wasDerivedFrom"
        ),
    ),
    "DataLoader": Expected(
        strings="kg:url",
        iris="foaf:page",
        codes="kg:framework",
        things="kg:repo",
        once="kg:repo",
        many="kg:url foaf:page kg:framework",
    ),
    "Task": Expected(
        strings="kg:slug rdfs:label dct:description kg:category skos:altLabel kg:url",
        iris="foaf:page rdfs:seeAlso",
        things="skos:broader kg:sourcePage prov:wasDerivedFrom",
        once="kg:slug rdfs:label dct:description kg:sourcePage",
        many=(
            "kg:category skos:altLabel skos:broader kg:url foaf:page rdfs:seeAlso "
            "prov:wasDerivedFrom"
        ),
    ),
    "Method": Expected(
        strings=(
            "kg:slug rdfs:label kg:fullName dct:description kg:rawDate kg:introducedByTitle "
            "kg:sourceTitle kg:url"
        ),
        iris="kg:introducedByPage kg:codeSnippet kg:sourcePage foaf:page rdfs:seeAlso",
        integers="kg:paperCount",
        years="kg:introducedYear",
        codes="kg:collection",
        things="prov:wasDerivedFrom",
        once=(
            "kg:slug rdfs:label kg:fullName dct:description kg:introducedYear kg:rawDate "
            "kg:introducedByTitle kg:introducedByPage kg:codeSnippet kg:sourcePage kg:sourceTitle "
            "kg:paperCount"
        ),
        many="kg:collection foaf:page kg:url rdfs:seeAlso prov:wasDerivedFrom",
    ),
    "Leaderboard": Expected(
        strings="kg:slug kg:metricOrder kg:url",
        iris="foaf:page",
        things="kg:task kg:dataset kg:metric",
        once="kg:slug kg:task kg:dataset kg:metricOrder",
        many="kg:metric foaf:page kg:url",
    ),
    "Result": Expected(
        strings="kg:modelName kg:paperTitle kg:rawDate kg:url",
        iris="kg:paperPage",
        integers="kg:archiveRank kg:archiveRankOf kg:rowCount",
        booleans="kg:usesAdditionalData",
        dates="dct:issued",
        things=(
            "kg:leaderboard kg:paper kg:task kg:dataset kg:measurement kg:codeLink kg:modelPage "
            "prov:wasDerivedFrom"
        ),
        required="kg:leaderboard",
        once=(
            "kg:leaderboard kg:paper kg:task kg:dataset kg:modelName kg:archiveRank "
            "kg:archiveRankOf kg:usesAdditionalData kg:rowCount kg:paperTitle kg:paperPage "
            "dct:issued kg:rawDate"
        ),
        many="kg:measurement kg:codeLink kg:modelPage kg:url prov:wasDerivedFrom",
    ),
    "Measurement": Expected(
        strings="kg:rawValue kg:unit",
        decimals="kg:value kg:uncertainty",
        things="kg:metric",
        required="kg:metric kg:rawValue",
        once="kg:metric kg:rawValue kg:value kg:unit kg:uncertainty",
    ),
    "Metric": Expected(
        strings="rdfs:label",
        booleans="kg:higherIsBetter",
        required="rdfs:label",
        once="rdfs:label kg:higherIsBetter",
    ),
    "Repo": Expected(
        iris="foaf:page rdfs:seeAlso",
        required="foaf:page",
        once="foaf:page",
        many="rdfs:seeAlso",
    ),
    "CodeLink": Expected(
        strings="rdfs:label kg:url kg:repoPath kg:linkProvenance",
        iris="dct:license",
        booleans="kg:isOfficial kg:mentionedInPaper kg:mentionedInRepo",
        codes="kg:framework kg:reach",
        things="kg:repo prov:wasDerivedFrom",
        once=(
            "kg:repo kg:isOfficial kg:mentionedInPaper kg:mentionedInRepo kg:framework kg:reach "
            "dct:license"
        ),
        many="rdfs:label kg:url kg:repoPath kg:linkProvenance prov:wasDerivedFrom",
    ),
    "Sample": Expected(
        strings="kg:filePath kg:url kg:entryPoint",
        iris="kg:fileUrl dct:license",
        integers="kg:verificationLevel",
        booleans="kg:behaviourFingerprint kg:inlineOk",
        codes="kg:programmingLanguage kg:status kg:contractCheck kg:metamorphicTier",
        things="kg:code kg:repo prov:wasDerivedFrom",
        required="kg:code kg:repo",
        once=(
            "kg:code kg:repo kg:filePath kg:fileUrl kg:entryPoint kg:programmingLanguage "
            "kg:status kg:contractCheck kg:verificationLevel kg:metamorphicTier "
            "kg:behaviourFingerprint kg:inlineOk dct:license"
        ),
        many="kg:url prov:wasDerivedFrom",
    ),
    "SampleLink": Expected(
        codes="kg:repoKind kg:linkBasis",
        things="kg:sample prov:wasDerivedFrom",
        required="kg:sample",
        once="kg:sample kg:repoKind kg:linkBasis",
        many="prov:wasDerivedFrom",
    ),
    "CodeContent": Expected(
        strings="kg:sha256Prefix",
        required="kg:sha256Prefix",
        once="kg:sha256Prefix",
    ),
    "Record": Expected(
        strings=(
            "dct:rights kg:nonAffiliation kg:modificationNote kg:archive kg:rowKind kg:papersNote "
            "kg:readAtNote kg:claim kg:countNote kg:rawDate kg:url"
        ),
        iris="dct:source dct:publisher dct:license cc:attributionURL rdfs:seeAlso",
        integers=(
            "kg:pointerOnlyCount kg:papersWithSamples kg:samplesHarvested kg:samplesRan "
            "kg:samplesUnverified kg:papersWithNoSampleThatRan"
        ),
        days="kg:snapshot",
        times="kg:readAt",
        once=(
            "dct:source dct:publisher dct:license dct:rights cc:attributionURL kg:nonAffiliation "
            "kg:modificationNote kg:archive kg:snapshot kg:rowKind kg:papersNote kg:readAt "
            "kg:readAtNote kg:claim kg:pointerOnlyCount kg:papersWithSamples kg:samplesHarvested "
            "kg:samplesRan kg:samplesUnverified kg:papersWithNoSampleThatRan kg:countNote "
            "kg:rawDate"
        ),
        many="rdfs:seeAlso kg:url",
    ),
    "Concept": Expected(
        strings="skos:notation skos:prefLabel skos:definition kg:url",
        iris="skos:inScheme foaf:page",
        things="skos:broader",
        required="skos:notation skos:prefLabel skos:inScheme",
        once="skos:notation skos:prefLabel skos:inScheme skos:definition",
        many="skos:broader foaf:page kg:url",
    ),
    "LicenseDocument": Expected(
        strings="rdfs:label kg:url",
        iris="foaf:page",
        once="rdfs:label foaf:page",
        many="kg:url",
    ),
    "Document": Expected(
        strings="rdfs:label",
        many="rdfs:label",
    ),
}
