import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { FileStore } from '../../../adapters/files/file-store.ts'
import { MailRefusal } from '../../../adapters/mail/mail-receiver.ts'
import { withDatabaseSlot } from '../../../db/fair-reader.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { ReceivedFile } from '../../../http/body/files.ts'
import type { NodeServices } from '../../../http/node-services.ts'
import { ApiError } from '../../../lib/api-error.ts'
import type { Change } from '../../../log/change.ts'
import type { Commit, RealmLog } from '../../../log/realm-log.ts'
import type { MailPurpose } from '../../kernel/mail/incoming-address.ts'
import { messageText } from '../../kernel/messages/message-text.ts'
import type { NewMessage } from '../../kernel/messages/new-message.ts'
import { addMessage } from '../../messages/kernel/messages/add-message.ts'
import {
  channelDestination,
  type MessageDestination,
} from '../../messages/kernel/messages/compose-message.ts'
import { prepareMessage } from '../../messages/kernel/messages/prepare-message.ts'
import { pictureOf } from '../../messages/kernel/uploads/thumbnails.ts'
import {
  removeStaged,
  type StagedUpload,
  stageUpload,
  writeUpload,
} from '../../messages/uploads/store-upload.ts'
import { pictureCaller } from '../../organization/kernel/pictures/drawing-slots.ts'
import { type MailTarget, targetOf } from './destination.ts'
import { headOf, mailContent, silenced, topicOfMail } from './mail-text.ts'
import type { MailFile, ReadMail } from './read-mail.ts'

export type MailServices = Pick<NodeServices, 'realms' | 'site' | 'adapters'>

/** A mail to one address, with its target. */
type MailToPost = {
  log: RealmLog
  purpose: MailPurpose
  target: MailTarget
  mail: ReadMail
}

/**
 * Posts a mail once. Returns `repeated` if it was posted before. Throws MailRefusal or ApiError if it cannot be posted.
 */
export async function postMail(services: MailServices, toPost: MailToPost): Promise<'posted' | 'repeated'> {
  const { log, purpose, target, mail } = toPost
  const key = {
    key: hash('sha256', `mail:${JSON.stringify(purpose)}:${mail.id}`),
    request: null,
    queueId: null,
  }
  const before = keyQuery(log, target.sender, key.key)
  if ((await log.database.read.rows(before)).length > 0) return 'repeated'
  checkHasContent(target, mail)
  const commit = committing(services, log)
  return withFiles(services, toPost, commit, async (files) => {
    const message = { ...(await compose(services, toPost, files)), key }
    return commit(async (change) => {
      if ((await change.run(before)).length > 0) return 'repeated'
      await checkStill(services, change, purpose, message)
      for (const file of files) await writeUpload(change, file, services.site.uploadQuotaMib)
      await addMessage(change, target.sender, message)
      return 'posted'
    })
  })
}

function keyQuery(log: RealmLog, sender: AccountRow, key: string) {
  return sql`SELECT 1 FROM idempotency_key WHERE realm_id = ${log.state.id} AND user_id = ${sender.id} AND key = ${key}`
}

function checkHasContent({ kind }: MailTarget, { text, reply, files }: ReadMail) {
  const words = kind === 'reply' ? reply : text
  if (words.trim() === '' && files.length === 0) throw new MailRefusal(550, 'The mail is empty')
}

/** Commits as one caller of the organization, so that mails do not delay users. */
function committing({ realms }: MailServices, log: RealmLog): Commit {
  const caller = { group: log.state.row.subdomain, name: 'incoming mail' }
  const { epoch } = log.state
  return (work) => withDatabaseSlot(realms.writing, caller, () => log.commitIn(epoch, work))
}

/** Stores the files of a mail, and does the work with them. Removes them if the work posts nothing. */
async function withFiles(
  { adapters }: MailServices,
  { log, target, mail }: MailToPost,
  commit: Commit,
  work: (files: StagedUpload[]) => Promise<'posted' | 'repeated'>,
) {
  const { sender: me } = target
  const files: StagedUpload[] = []
  const drawer = { caller: pictureCaller(log.state.id, me.id), gone: new AbortController().signal }
  const stage = (file: ReceivedFile) => stageUpload({ realm: log.state, me, adapters, commit }, drawer, file)
  try {
    for (const file of mail.files) files.push(await withReceivedFile(adapters.files, file, stage))
    const outcome = await work(files)
    if (outcome === 'repeated') await removeStaged(adapters.files, files)
    return outcome
  } catch (error) {
    // After an unexpected error, the message may have been written.
    const isRefused = error instanceof ApiError || error instanceof MailRefusal
    if (isRefused) await removeStaged(adapters.files, files)
    throw error
  }
}

/** Does work with a file of a mail, as with one that a request has sent. The file is discarded afterwards, unless the work keeps it. */
async function withReceivedFile<T>(
  store: FileStore,
  { name, type, content }: MailFile,
  work: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  const incoming = await store.receive(Readable.from([content], { objectMode: false }))
  const file = new ReceivedFile(name, type, incoming)
  try {
    return await work(file)
  } finally {
    await file.discard()
  }
}

async function compose(
  services: MailServices,
  toPost: MailToPost,
  files: StagedUpload[],
): Promise<NewMessage> {
  const { target, mail } = toPost
  const isGateway = target.kind === 'channel' && target.isGateway
  const written = target.kind === 'reply' ? mail.reply : isGateway ? silenced(mail.text) : mail.text
  const destination = destinationIn(toPost)
  const head = target.kind === 'channel' ? headOf(mail, isGateway, destination.topic !== '') : []
  const around = { head, files, filesLeft: mail.filesLeft }
  const message = await messageWith(services, toPost, destination, files, mailContent(written, around, false))
  // If the text ends inside code, the links below it are no links. Then they go above it.
  const isWhole = files.every(({ path }) => message.uploads?.includes(path))
  if (isWhole) return message
  return messageWith(services, toPost, destination, files, mailContent(written, around, true))
}

function destinationIn({ log, target, mail }: MailToPost): MessageDestination {
  if (target.kind === 'reply') return target.destination
  const { channel, sender } = target
  return channelDestination(
    { realm: log.state, me: sender },
    channel.id,
    topicOfMail(log.state, channel, mail),
  )
}

async function messageWith(
  { site }: MailServices,
  { log, target }: MailToPost,
  destination: MessageDestination,
  files: StagedUpload[],
  written: string,
): Promise<NewMessage> {
  const { read } = log.database
  const writer = { realm: log.state, site, me: target.sender, read }
  const pictures = new Map(
    files.map((file) => [file.path, pictureOf({ width: null, height: null, ...file })]),
  )
  return prepareMessage(writer, destination, {
    content: messageText(written),
    client: 'Email',
    readBySender: true,
    picture: (path) => pictures.get(path),
  })
}

/** Checks the target again within the change: it may have changed since. */
async function checkStill(
  { site }: MailServices,
  change: Change,
  purpose: MailPurpose,
  { message }: NewMessage,
) {
  const read = { rows: <T>(query: Parameters<typeof change.run<T>>[0]) => change.run(query) }
  const now = await targetOf({ realm: change.state, read, site }, purpose)
  const isMoved =
    now.kind === 'reply' &&
    message.recipient_id !== 0 &&
    (now.message.recipient_id !== message.recipient_id || now.message.topic !== message.topic)
  if (isMoved) throw new MailRefusal(451, 'The conversation has just been moved')
}

/**
 * Returns the refusal for an error that prevents a mail from being posted. Other errors are returned as they are: they
 * are errors of the server.
 */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  if (error.code === 'REALM_UPLOAD_QUOTA')
    return new MailRefusal(552, 'There is no room for the attachments', error)
  if (error.status === 429 || error.status >= 500) return new MailRefusal(451, 'Try again later', error)
  return new MailRefusal(550, 'The message is not permitted', error)
}
