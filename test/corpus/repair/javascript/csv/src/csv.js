// Reads and writes comma-separated values: quoted fields, doubled quotes, both kinds of line end.

const QUOTE = '"';

export function parse(text, { separator = ',' } = {}) {
  const rows = [];
  let row = [];
  let field = '';
  let quoted = false;
  let started = false;

  const endField = () => {
    row.push(field);
    field = '';
    started = false;
  };
  const endRow = () => {
    endField();
    rows.push(row);
    row = [];
  };

  for (let i = 0; i < text.length; i += 1) {
    const char = text[i];
    if (quoted) {
      if (char !== QUOTE) {
        field += char;
      } else if (text[i + 1] === QUOTE) {
        field += QUOTE;
        i += 1;
      } else {
        quoted = false;
      }
    } else if (char === QUOTE && !started) {
      quoted = true;
      started = true;
    } else if (char === separator) {
      endField();
    } else if (char === '\n') {
      endRow();
    } else if (char === '\r' && text[i + 1] === '\n') {
      continue;
    } else {
      field += char;
      started = true;
    }
  }
  if (quoted) throw new SyntaxError('a quoted field is not closed');
  if (started || row.length > 0) endRow();
  return rows;
}

/** Rows as objects, named by the first row. Missing fields are empty. */
export function records(text, options) {
  const [header, ...rows] = parse(text, options);
  if (!header) return [];
  return rows.map((row) => {
    const entries = header.map((name, at) => [name.trim(), row[at] ?? '']);
    return Object.fromEntries(entries);
  });
}

function escape(value, separator) {
  const text = value === null || value === undefined ? '' : String(value);
  const special = text.includes(QUOTE) || text.includes(separator) || /[\r\n]/.test(text);
  return special ? QUOTE + text.replaceAll(QUOTE, QUOTE + QUOTE) + QUOTE : text;
}

export function stringify(rows, { separator = ',' } = {}) {
  return rows.map((row) => row.map((value) => escape(value, separator)).join(separator) + '\n').join('');
}
