/** Hours ahead of UTC, and the names of the zones. A name that means several zones is the one that most people mean. */
const names: [hours: number, names: string][] = [
  [0, 'Z UTC GMT WET'],
  [1, 'CET MET BST WEST WAT'],
  [2, 'EET CEST MEST CAT SAST'],
  [3, 'EEST MSK EAT IDT'],
  [5, 'PKT'],
  [5.5, 'IST'],
  [5.75, 'NPT'],
  [7, 'ICT WIB'],
  [8, 'AWST HKT SGT WITA'],
  [9, 'JST KST WIT'],
  [9.5, 'ACST'],
  [10, 'AEST CHST'],
  [10.5, 'ACDT'],
  [11, 'AEDT'],
  [12, 'NZST'],
  [13, 'NZDT'],
  [-2.5, 'NDT'],
  [-3, 'ADT BRT ART'],
  [-3.5, 'NST'],
  [-4, 'AST EDT'],
  [-5, 'EST CDT'],
  [-6, 'CST MDT'],
  [-7, 'MST PDT'],
  [-8, 'PST AKDT'],
  [-9, 'AKST HDT'],
  [-10, 'HST'],
  [-11, 'SST'],
]

const offsets = new Map(
  names.flatMap(([hours, all]) => all.split(' ').map((name) => [name, hours * 60] as const)),
)

/** How many minutes a zone is ahead of UTC, by its name in whatever case. */
export function zoneOffset(name: string): number | undefined {
  return offsets.get(name.toUpperCase())
}
