import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileStore, IncomingFile } from '../../adapters/files/file-store.ts'
import { FetchError, type SafeAnswer, type SafeFetch } from '../../adapters/safe-fetch.ts'
import type { AccountRow, AttachmentRow } from '../../db/schema.ts'
import { newPath } from '../../features/messages/uploads/paths.ts'
import type { Change } from '../../log/change.ts'
import { addUpload } from '../add-upload.ts'
import { slackLimits } from './limits.ts'
import { linkOrAddress } from './mrkdwn.ts'
import {
  filesOfMessage,
  type SlackExport,
  type SlackFile,
  type SlackPerson,
  type SlackPlace,
} from './slack-export.ts'

/** The files of an export that Slack has given out, by their ids. They are in the store, and belong to nobody yet. */
export type FetchedFiles = ReadonlyMap<string, IncomingFile>

/**
 * Fetches the files that messages have, from Slack. The addresses in an export hold a key that its owner may take back, so some or
 * all of them may fail.
 */
export async function fetchSlackFiles(
  source: SlackExport,
  places: readonly SlackPlace[],
  fetch: SafeFetch,
  store: FileStore,
): Promise<FetchedFiles> {
  return fetchAll(await wantedFrom(source, places), fetch, store)
}

/** Fetches the pictures that people have chosen at Slack, by their ids. */
export function fetchSlackPictures(
  people: readonly SlackPerson[],
  fetch: SafeFetch,
  store: FileStore,
): Promise<FetchedFiles> {
  const wanted = people.flatMap(({ id, profile: { image_original, image_512 } }) => {
    return image_original === undefined ? [] : [{ id, url: image_512 ?? image_original }]
  })
  return fetchAll(wanted, fetch, store)
}

async function fetchAll(wanted: Wanted[], fetch: SafeFetch, store: FileStore): Promise<FetchedFiles> {
  const fetched = new Map<string, IncomingFile>()
  const left = wanted.values()
  const work = async () => {
    for (const one of left) {
      const content = await contentOf(fetch, one)
      if (content) fetched.set(one.id, await store.receive(Readable.from([content])))
    }
  }
  try {
    await Promise.all(Array.from({ length: slackLimits.concurrentFiles }, work))
  } catch (error) {
    await discardFiles(fetched)
    throw error
  }
  return fetched
}

/** Removes those that have not become uploads. */
export async function discardFiles(fetched: FetchedFiles) {
  for (const file of fetched.values()) await file.discard()
}

/** `size`: in bytes, if it is known. */
type Wanted = { id: string; url: string; size?: number }

async function wantedFrom(source: SlackExport, places: readonly SlackPlace[]): Promise<Wanted[]> {
  const wanted = new Map<string, Wanted>()
  for await (const day of source.days(places)) {
    for (const { message } of day) {
      for (const { id, url_private_download: url, size, is_external } of filesOfMessage(message)) {
        if (id !== undefined && url !== undefined && !is_external) wanted.set(id, { id, url, size })
      }
    }
  }
  return [...wanted.values()]
}

/** Returns undefined if there is no such file any more, or a page to log in comes in its place. */
async function contentOf(fetch: SafeFetch, { url, size }: Wanted): Promise<Buffer | undefined> {
  if ((size ?? 0) > mostBytes || !URL.canParse(url)) return undefined
  try {
    const { status, body } = await whenAdmitted(fetch, url)
    return status === 200 && body.length === (size ?? body.length) ? body : undefined
  } catch (error) {
    if (error instanceof FetchError) return undefined
    throw error
  }
}

const mostBytes = slackLimits.attachedFileMib * 1024 * 1024

/** Fetches a file, and waits as long as Slack says if it was asked for too many. */
async function whenAdmitted(fetch: SafeFetch, url: string): Promise<SafeAnswer> {
  const timeoutMs = slackLimits.attachedFileSeconds * 1000
  for (let tries = 1; ; tries++) {
    // Older addresses lead to newer ones.
    const answer = await fetch(url, { timeoutMs, maxBytes: mostBytes, redirects: 3 })
    if (answer.status !== 429 || tries === slackLimits.fileTries) return answer
    const seconds = Number(answer.headers.get('retry-after') ?? 1)
    await sleep(1000 * Math.min(seconds || 0, slackLimits.filePauseSeconds))
  }
}

/** The uploads that an import makes of the files that were fetched. */
export class SlackFiles {
  private readonly change: Change
  private readonly fetched: FetchedFiles
  private readonly uploads = new Map<string, AttachmentRow>()
  private readonly byPath = new Map<string, AttachmentRow>()
  private missed = 0

  constructor(change: Change, fetched: FetchedFiles) {
    this.change = change
    this.fetched = fetched
  }

  get counts(): { files: number; missingFiles: number } {
    return { files: this.uploads.size, missingFiles: this.missed }
  }

  /** Returns the upload at a path. */
  at(path: string): AttachmentRow | undefined {
    return this.byPath.get(path)
  }

  /**
   * Returns the Markdown of a link to a file: to the upload, or to Slack if there is none. The address for programs may hold a
   * key to all files, so messages have the one for people.
   */
  async linkTo(file: SlackFile, author: AccountRow): Promise<string> {
    const { name, title, permalink, mode, is_external, url_private } = file
    const label = title || name || 'file'
    // Slack never had the file.
    if (is_external && url_private !== undefined) return linkOrAddress(url_private, label)
    const upload = await this.uploadOf(file, author)
    if (upload) return linkOrAddress(`/user_uploads/${upload.path}`, label)
    if (mode === 'tombstone' || mode === 'hidden_by_limit') return ''
    this.missed += 1
    return permalink === undefined ? label : linkOrAddress(permalink, label)
  }

  private async uploadOf(file: SlackFile, author: AccountRow): Promise<AttachmentRow | undefined> {
    const { id = '' } = file
    const content = this.fetched.get(id)
    const known = this.uploads.get(id)
    if (!content || known) return known
    const upload = await this.store(file, content, author)
    this.uploads.set(id, upload)
    this.byPath.set(upload.path, upload)
    return upload
  }

  private store({ name = 'file' }: SlackFile, content: IncomingFile, author: AccountRow) {
    const { change } = this
    const path = newPath(change.state.id, name)
    return addUpload(change, { path, name, owner_id: author.id, created_at: change.now }, content)
  }
}
