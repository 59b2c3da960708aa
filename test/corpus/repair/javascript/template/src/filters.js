// What may stand behind a bar in a template.

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const filters = {
  upper: (value) => String(value).toUpperCase(),
  lower: (value) => String(value).toLowerCase(),
  title: (value) => String(value).replace(/\b\w/g, (letter) => letter.toUpperCase()),
  count: (value) => value.length,
  raw: (value) => value,
  escape: (value) => value.replace(/[&<>"]/g, (char) => ENTITIES[char]),
}
