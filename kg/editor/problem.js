// What the server says of a query that it could not answer: problem details (RFC 9457), whose
// excerpt shows the place of a fault.

export async function problem(error) {
  let told;
  try {
    told = JSON.parse(error.text);
  } catch {
    return undefined; // not the server's words: Yasgui shows it in its own way
  }
  if (typeof told?.detail !== "string") return undefined;
  const place = document.createElement("div");
  place.setAttribute("role", "alert");
  const sentence = document.createElement("p");
  sentence.textContent = told.detail;
  place.append(sentence);
  if (typeof told.excerpt === "string") {
    const excerpt = document.createElement("pre");
    excerpt.textContent = told.excerpt;
    place.append(excerpt);
  }
  return place;
}
