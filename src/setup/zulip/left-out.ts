/** The parts of an export that an import may leave out, in the words of its report. */
export const leftOutTexts = {
  damagedRows: 'Rows that are damaged, or of an unknown form',
  repeated: 'Rows that repeat the number of another one',
  lostReferences: 'Rows that refer to something that the export does not have',
  addressless: 'People and bots who are deactivated, as the export has no email address of them',
  missingFiles: 'Files that are not in the export',
  lostPictures: 'Pictures that are not in the export, or cannot be drawn',
  settings: 'Settings with a value that they cannot have here',
  permissions: 'Permissions with holders that they cannot have here: they got their defaults',
  linkifiers: 'Linkifiers and playgrounds that are not valid here',
  profileFields: 'Profile fields and values that are not valid here',
  reactions: 'Reactions and statuses with an emoji that there is not here',
  submessages: 'Votes in polls and changes of to-do lists that are not valid here',
  ownTexts: 'Scheduled messages, reminders, snippets, views and data of bots that are past or not valid here',
} as const

type LeftOutKind = keyof typeof leftOutTexts

/** Counts what an import leaves out. */
export class LeftOut {
  private readonly counted = new Map<LeftOutKind, number>()

  /** Counts one thing, or several. Returns nothing, which can stand in its place. */
  add(kind: LeftOutKind, count = 1): undefined {
    if (count > 0) this.counted.set(kind, (this.counted.get(kind) ?? 0) + count)
  }

  get counts(): Partial<Record<LeftOutKind, number>> {
    return Object.fromEntries(this.counted)
  }
}
