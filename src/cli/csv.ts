/** A line of CSV (RFC 4180), without its end. A text that a spreadsheet would take for a formula gets an apostrophe. */
export function csvLine(cells: string[]): string {
  return cells.map(cell).join(',')
}

function cell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** A record of CSV, and the number of the line on which it begins. */
type CsvRecord = { line: number; cells: string[] }

/** Reads CSV (RFC 4180) with commas or semicolons, whichever the first line has more of. Throws one sentence. */
export function parseCsv(content: string): CsvRecord[] {
  const text = content.replace(/^\uFEFF/, '')
  const [head = ''] = text.split('\n', 1)
  const separator = head.split(';').length > head.split(',').length ? ';' : ','
  const token = new RegExp(
    `"((?:[^"]|"")*)"(?=${separator}|\\r?\\n|$)|([^"${separator}\\r\\n]*)(?=${separator}|\\r?\\n|$)`,
    'y',
  )
  const records: CsvRecord[] = []
  let record: CsvRecord = { line: 1, cells: [] }
  let line = 1
  for (let at = 0; ; ) {
    token.lastIndex = at
    const found = token.exec(text)
    if (!found) throw new Error(`Line ${line} is not valid CSV: a quotation mark stands where none may be.`)
    const [whole, quoted, plain = ''] = found
    record.cells.push(quoted?.replaceAll('""', '"') ?? plain)
    line += whole.split('\n').length - 1
    at += whole.length
    if (text[at] === separator) {
      at += 1
      continue
    }
    // An empty line is no record.
    if (record.cells.some((one) => one !== '')) records.push(record)
    const end = /\r?\n/y
    end.lastIndex = at
    if (!end.test(text)) return records
    at = end.lastIndex
    line += 1
    record = { line, cells: [] }
  }
}
