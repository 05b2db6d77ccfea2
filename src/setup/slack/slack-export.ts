import { text } from 'node:stream/consumers'
import type { Entry, ZipFile } from 'yauzl'
import { z } from 'zod'
import { groupBy } from '../../lib/collections/group-by.ts'
import { codeOf, messageOf } from '../../lib/errors.ts'
import { slackLimits } from './limits.ts'

// The parts of an export of Slack that are read. Slack leaves out and adds fields at will, so nearly all of them are
// optional, and a field of another form counts as missing.

const maybeText = z.string().optional().catch(undefined)
const maybeTexts = z.array(z.string()).catch([])
const flag = z.boolean().catch(false)
/** A time that a calendar can have, in seconds. */
const seconds = z.number().int().min(0).max(9_999_999_999).catch(0)
const stamp = z.string().regex(/^\d{1,10}(\.\d+)?$/)

const personSchema = z.object({
  id: z.string(),
  name: maybeText,
  real_name: maybeText,
  deleted: flag,
  is_bot: flag,
  is_owner: flag,
  is_primary_owner: flag,
  is_admin: flag,
  is_restricted: flag,
  is_stranger: flag,
  team_id: maybeText,
  enterprise_user: z.object({ enterprise_id: maybeText }).catch({}),
  tz: maybeText,
  profile: z
    .object({
      email: maybeText,
      real_name: maybeText,
      display_name: maybeText,
      bot_id: maybeText,
      // Only people who have chosen a picture have this one.
      image_original: maybeText,
      image_512: maybeText,
    })
    .catch({}),
})

const placeSchema = z.object({
  id: z.string(),
  name: maybeText,
  created: seconds,
  creator: maybeText,
  is_archived: flag,
  is_general: flag,
  members: maybeTexts,
  topic: z.object({ value: maybeText }).catch({}),
  purpose: z.object({ value: maybeText }).catch({}),
})

const fileSchema = z.object({
  id: maybeText,
  name: maybeText,
  title: maybeText,
  mode: maybeText,
  is_external: flag,
  size: z.number().catch(0),
  url_private: maybeText,
  url_private_download: maybeText,
  permalink: maybeText,
})

const blocks = z.array(z.unknown()).catch([])

const attachmentSchema = z.object({
  pretext: maybeText,
  title: maybeText,
  title_link: maybeText,
  text: maybeText,
  fallback: maybeText,
  from_url: maybeText,
  is_share: flag,
  is_msg_unfurl: flag,
  author_name: maybeText,
  image_url: maybeText,
  blocks,
  fields: z.array(z.object({ title: maybeText, value: maybeText })).catch([]),
})

const messageSchema = z.object({
  type: maybeText,
  subtype: maybeText,
  ts: stamp,
  thread_ts: maybeText,
  // Older exports do not say it.
  reply_count: z.number().catch(1),
  user: maybeText,
  bot_id: maybeText,
  username: maybeText,
  text: maybeText,
  blocks,
  user_profile: z.object({ real_name: maybeText, name: maybeText }).optional().catch(undefined),
  bot_profile: z.object({ name: maybeText }).optional().catch(undefined),
  edited: z.object({ ts: stamp }).optional().catch(undefined),
  reactions: z.array(z.object({ name: z.string(), users: maybeTexts })).catch([]),
  files: z.array(fileSchema).catch([]),
  // Exports that were made before 2018 have these.
  file: fileSchema.optional().catch(undefined),
  comment: z.object({ user: maybeText }).optional().catch(undefined),
  attachments: z.array(attachmentSchema).catch([]),
})

/** The files of a message. */
export function filesOfMessage({ files, file }: SlackMessage): SlackFile[] {
  return files.length > 0 || !file ? files : [file]
}

export type SlackPerson = z.infer<typeof personSchema>
export type SlackPlace = z.infer<typeof placeSchema> & { kind: 'channel' | 'private' | 'direct' }
export type SlackMessage = z.infer<typeof messageSchema>
export type SlackFile = z.infer<typeof fileSchema>
export type SlackAttachment = z.infer<typeof attachmentSchema>

/** A message, and the id of the place where it stands. */
export type PlacedMessage = { placeId: string; message: SlackMessage }

const lists = {
  channel: ['channels.json'],
  private: ['groups.json'],
  direct: ['dms.json', 'mpims.json'],
} as const

/** An export of Slack: a ZIP file of lists in JSON, and a folder for each channel or conversation with a file for each day. */
export class SlackExport {
  private readonly zip: ZipFile
  private readonly entries: ReadonlyMap<string, Entry>

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.zip = zip
    this.entries = entries
  }

  /** Throws an error of one sentence if the file is no such export. */
  static async open(file: string): Promise<SlackExport> {
    const { openPromise } = await import('yauzl')
    // Slack's names are in UTF-8 without saying so, which a ZIP file should.
    const options = { autoClose: false, decodeStrings: false } as const
    const zip = await openPromise(file, options).catch((error) => {
      if (codeOf(error) !== undefined) throw error
      throw new Error(`This is no ZIP file: ${messageOf(error).replace(/\.$/, '')}.`, { cause: error })
    })
    const entries = new Map<string, Entry>()
    try {
      for await (const entry of zip.eachEntry()) entries.set(entry.fileNameRaw.toString().normalize(), entry)
      if (!entries.has('users.json')) throw new Error('This is no export of Slack: it has no users.json.')
    } catch (error) {
      zip.close()
      throw error
    }
    return new SlackExport(zip, entries)
  }

  close() {
    this.zip.close()
  }

  people(): Promise<SlackPerson[]> {
    return this.read('users.json', personSchema)
  }

  async places(): Promise<SlackPlace[]> {
    const places = new Map<string, SlackPlace>()
    // A conversation of several people may be in the list of private channels, too.
    for (const kind of ['direct', 'private', 'channel'] as const) {
      for (const file of lists[kind]) {
        for (const place of await this.read(file, placeSchema)) {
          if (!places.has(place.id)) places.set(place.id, { ...place, kind })
        }
      }
    }
    return [...places.values()]
  }

  /** The folders with messages of which no list says what they are. Those of canvases are left out. */
  unknownFolders(places: readonly SlackPlace[]): string[] {
    const unknown = this.dayFiles(places).filter(({ placeId }) => placeId === undefined)
    return [...new Set(unknown.map(({ folder }) => folder))].filter((folder) => !folder.startsWith('FC:'))
  }

  /** A folder has the name of its channel, in whatever spelling, or the id of its conversation. */
  private dayFiles(places: readonly SlackPlace[]) {
    const folderOf = (name: string) => name.normalize('NFKC')
    const ids = new Map(places.flatMap(({ id, name = id }) => [id, name].map((one) => [folderOf(one), id])))
    return [...this.entries.keys()].flatMap((path) => {
      const [, folder, day = ''] = /^([^/]+)\/(\d{4}-\d\d-\d\d)\.json$/.exec(path) ?? []
      return folder === undefined ? [] : [{ path, folder, day, placeId: ids.get(folderOf(folder)) }]
    })
  }

  /** Yields the messages of all places day by day, in order. No more than a day is in memory. */
  async *days(places: readonly SlackPlace[]): AsyncIterable<PlacedMessage[]> {
    const files = this.dayFiles(places)
    const byDay = [...groupBy(files, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [, ofDay] of byDay) {
      const messages: PlacedMessage[] = []
      for (const { path, placeId } of ofDay) {
        if (placeId === undefined) continue
        for (const message of await this.read(path, messageSchema)) messages.push({ placeId, message })
      }
      yield messages.sort((a, b) => Number(a.message.ts) - Number(b.message.ts))
    }
  }

  /** Returns the items of a list that have the expected form; none if the file is missing. */
  private async read<Item>(path: string, schema: z.ZodType<Item>): Promise<Item[]> {
    const entry = this.entries.get(path)
    if (!entry) return []
    if (entry.uncompressedSize > slackLimits.fileMib * 1024 * 1024) {
      throw new Error(`The export cannot be read: ${path} is larger than ${slackLimits.fileMib} MiB.`)
    }
    const items = await this.parse(path, entry)
    return items.flatMap((item) => {
      const { data } = schema.safeParse(item)
      return data === undefined ? [] : [data]
    })
  }

  private async parse(path: string, entry: Entry): Promise<unknown[]> {
    try {
      const parsed = JSON.parse(await text(await this.zip.openReadStreamPromise(entry)))
      if (Array.isArray(parsed)) return parsed
    } catch (error) {
      throw new Error(`The export is damaged: ${path} cannot be read (${messageOf(error)}).`, {
        cause: error,
      })
    }
    throw new Error(`The export is damaged: ${path} is no list.`)
  }
}
