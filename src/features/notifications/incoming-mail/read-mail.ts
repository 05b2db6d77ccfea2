import { hash } from 'node:crypto'
import type { Address, Attachment, Email } from 'postal-mime'
import { firstCharacters } from '../../../lib/text/characters.ts'
import { withoutDirection } from '../../../lib/text/unprintable.ts'
import { htmlText, type MakeParser } from './html-text.ts'
import { incomingMailLimits } from './limits.ts'
import { newText } from './new-text.ts'

/** A file of a mail. The sender chose its name and type. */
export type MailFile = { name: string; type: string; content: Uint8Array<ArrayBuffer> }

/** The parts of a mail that are used. All texts are short. */
export type ReadMail = {
  fromName: string
  fromAddress: string
  subject: string
  /**
   * Identifies the mail when it comes again: a hash of the Message-ID and the date, or of the whole mail if one of them
   * is missing.
   */
  id: string
  /** The text, as Markdown. */
  text: string
  /** The new words of a reply, as Markdown. */
  reply: string
  files: MailFile[]
  /** The number of files beyond the limit. */
  filesLeft: number
  /** Whether a Rookery server sent it. */
  isOurs: boolean
  /** Whether a program sent it as the answer to another mail. */
  isAutomaticReply: boolean
  /** Whether a program sent it, or it went to many people. */
  isAutomatic: boolean
}

/** The libraries, which only the process that reads mails loads. */
type MailLibraries = {
  parse: (bytes: Uint8Array, options: object) => Promise<Email>
  makeParser: MakeParser
}

/** Reads a mail. Throws if it is not one, or too complicated. */
export async function readMail(bytes: Uint8Array, { parse, makeParser }: MailLibraries): Promise<ReadMail> {
  const mail = await parse(bytes, {
    maxNestingDepth: incomingMailLimits.partDepth,
    maxHeadersSize: incomingMailLimits.headerBytes,
    // A mail in a mail is a file.
    forceRfc822Attachments: true,
    maxRfc822NestingDepth: 0,
  })
  if (mail.headers.length > incomingMailLimits.headers) throw new Error('too many headers')
  const header = (name: string) =>
    mail.headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase() ?? ''
  const from = mailboxOf(mail.from)
  const attached = mail.attachments.filter(({ content }) => typeof content !== 'string')
  const text = (isReply: boolean) => textOf(mail, makeParser, isReply)
  return {
    fromName: short(from.name),
    fromAddress: short(from.address),
    subject: directly(mail.subject?.slice(0, 1_000) ?? ''),
    id: identityOf(mail.messageId, header('date')) ?? hash('sha256', bytes),
    text: text(false),
    reply: newText(text(true)),
    files: attached.slice(0, incomingMailLimits.files).map(fileOf),
    filesLeft: Math.max(0, attached.length - incomingMailLimits.files),
    isOurs: header('x-mailer') === 'rookery',
    isAutomaticReply: /^auto-replied\b/.test(header('auto-submitted')) || header('x-autoreply') !== '',
    isAutomatic:
      !/^(no\b.*)?$/.test(header('auto-submitted')) ||
      /^(bulk|junk|list|auto_reply)$/.test(header('precedence')),
  }
}

/** Some devices write the same Message-ID into all their mails, so it counts only together with the date. */
function identityOf(messageId = '', date: string): string | undefined {
  return /[^<>\s]/.test(messageId) && date
    ? hash('sha256', JSON.stringify([messageId.trim(), date]))
    : undefined
}

function mailboxOf(address: Address | undefined): { name: string; address: string } {
  const [first] = address?.group ?? (address ? [address] : [])
  return { name: first?.name ?? '', address: first?.address ?? '' }
}

function textOf({ text = '', html = '' }: Email, makeParser: MakeParser, isReply: boolean): string {
  const most = incomingMailLimits.textLength
  const plain = plainly(text.slice(0, most).replace(/\r\n?/g, '\n'))
  if (plain.trim() !== '') return plain.replace(/^\s*\n/, '').trimEnd()
  return plainly(htmlText(html, makeParser, isReply).slice(0, most))
}

function fileOf({ filename, mimeType, content }: Attachment): MailFile {
  const bytes = typeof content === 'string' ? new Uint8Array() : new Uint8Array(content)
  const name = short(filename ?? '').replace(/^.*[/\\]/, '')
  return { name: name || nameFor(mimeType), type: short(mimeType), content: bytes }
}

function nameFor(type: string): string {
  if (type === 'message/rfc822') return 'message.eml'
  return type === 'text/calendar' ? 'invite.ics' : 'attachment'
}

function short(text: string): string {
  return firstCharacters(directly(text), incomingMailLimits.nameLength)
}

/** Returns a name without characters that change the direction of text: the address after it could appear backwards. */
function directly(text: string): string {
  return withoutDirection(plainly(text))
}

/** Returns a text without characters that no message may have: null bytes, and halves of surrogate pairs. */
function plainly(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
