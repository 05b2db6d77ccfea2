import { parseCsv } from '../csv.ts'
import { cliLimits } from '../limits.ts'

/** The columns of a line. An empty cell leaves the present value. */
export type PersonLine = {
  line: number
  email: string
  name: string
  role: string
  groups: string[]
  channels: string[]
  state: string
}

const columns = ['email', 'name', 'role', 'groups', 'channels', 'state'] as const
type Column = (typeof columns)[number]

/** Reads the people of a CSV file whose first line names the columns. Throws one sentence. */
export function peopleIn(text: string): PersonLine[] {
  const [head, ...records] = parseCsv(text)
  if (!head) throw new Error('The file is empty: its first line names the columns.')
  const names = head.cells.map((cell) => cell.trim().toLowerCase())
  const unknown = names.find((name) => !columns.includes(name as Column))
  if (unknown !== undefined) {
    throw new Error(`There is no column ${unknown || '(without a name)'}; there are ${columns.join(', ')}.`)
  }
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new Error(`The column ${twice} occurs twice.`)
  if (!names.includes('email')) throw new Error('The first line names no column email.')
  if (records.length > cliLimits.peopleImported) {
    throw new Error(`The file has more than ${cliLimits.peopleImported} people: divide it.`)
  }
  return records.map(({ line, cells }) => {
    if (cells.length > names.length) throw new Error(`Line ${line} has more cells than the first line.`)
    const cell = (name: Column) => cells[names.indexOf(name)]?.trim() ?? ''
    return {
      line,
      email: cell('email'),
      name: cell('name'),
      role: cell('role').toLowerCase(),
      groups: listIn(cell('groups')),
      channels: listIn(cell('channels')),
      state: cell('state').toLowerCase(),
    }
  })
}

/** Several names in one cell are divided by bars. */
function listIn(cell: string): string[] {
  const names = cell.split('|').map((name) => name.trim())
  return [...new Set(names.filter((name) => name !== ''))]
}
