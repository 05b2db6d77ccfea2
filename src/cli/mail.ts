import { randomUUID } from 'node:crypto'
import type { Reader } from '../db/database.ts'
import type { MailRow } from '../db/schema.ts'
import { letter } from '../features/kernel/mail/letter.ts'
import { mailLimits } from '../features/kernel/mail/limits.ts'
import { retryMail } from '../features/notifications/mail/retry-mail.ts'
import { systemClock } from '../lib/clock.ts'
import { isEmail } from '../lib/text/email.ts'
import type { Realms } from '../log/realms.ts'
import { cliCommand, UsageError } from './command.ts'
import { adaptersOf, mailAddressOf, withRealms } from './context.ts'
import { cliLimits } from './limits.ts'
import { textTable, time } from './output.ts'

/** The option that names the organization of a mail. */
const mailRealm = {
  value: 'NAME',
  help: 'the organization, where mails of several have this ID; - is the first one',
}

const states = ['waiting', 'handing-over', 'sent', 'failed', 'uncertain']

const listMails = cliCommand('mail list', {
  summary: 'list the newest mails: what waits, what was sent, what could not be',
  options: { state: { value: 'STATE', help: `only those that are ${states.join(', ')}` } },
  details: `waiting: to be sent, or tried again. handing-over: the mail server is being told. failed: given up. uncertain: the
server ended, or the connection broke, before the mail server had said whether it took the mail; it is not sent again
unless you say so. Mails are listed for ${mailLimits.mailKeepDays} days.`,
  async run(config, _args, { state }) {
    if (state !== undefined && !states.includes(state))
      throw new UsageError(`There is no state ${state}; there are ${states.join(', ')}.`)
    return withRealms(config, async (realms) => {
      const mails = await newestMails(realms, state)
      const rows = mails.map((mail) => [
        String(mail.id),
        time(mail.created_at),
        mail.kind,
        mail.recipient,
        mail.state,
        String(mail.tries),
        mail.error?.split('\n')[0] ?? '',
      ])
      const table = textTable(['ID', 'CREATED', 'KIND', 'TO', 'STATE', 'TRIES', 'LAST ERROR'], rows)
      const data = { mails: mails.map(mailData) }
      if (config.smtpUrl !== undefined) return { text: table, data }
      return { text: `${table}ROOKERY_SMTP_URL is not set, so mails wait.`, data }
    })
  },
})

const showMail = cliCommand('mail show', {
  summary: 'show a mail that has not been sent, with the links in it',
  arguments: ['ID'],
  options: { realm: mailRealm },
  run: (config, { ID: id }, options) =>
    withRealms(config, async (realms) => {
      const mail = await mailById(realms, id, options.realm)
      const lines = [`To: ${mail.recipient}`, `Subject: ${mail.subject}`, `State: ${mail.state}`]
      if (mail.error) lines.push(`Last error: ${mail.error}`)
      const text = `${lines.join('\n')}\n\n${mail.text ?? 'It was sent, and its text is not kept.'}`
      return { text, data: { mail: { ...mailData(mail), subject: mail.subject, text: mail.text } } }
    }),
})

const retry = cliCommand('mail retry', {
  summary: 'send a mail that failed, or of which nobody knows whether it was sent',
  arguments: ['ID'],
  options: { realm: mailRealm },
  run: (config, { ID: id }, options) =>
    withRealms(config, async (realms) => {
      const mail = await mailById(realms, id, options.realm)
      const realm = await realms.byId(mail.realm_id)
      const waits = await realm.commit((change) => retryMail(change, mail.id))
      if (!waits) throw new Error(`The mail ${mail.id} is ${mail.state}, so there is nothing to try again.`)
      const text = `The mail ${mail.id} to ${mail.recipient} waits to be sent.`
      return { text, data: { mail: mailData(await mailById(realms, id, realm.state.row.subdomain)) } }
    }),
})

const testMail = cliCommand('mail test', {
  summary: 'send a mail to ADDRESS now, and tell what the mail server said',
  arguments: ['ADDRESS'],
  async run(config, { ADDRESS: address }) {
    if (!isEmail(address)) throw new UsageError(`${address} is not an email address.`)
    const { mail: transport } = adaptersOf(config)
    if (!transport) throw new Error('ROOKERY_SMTP_URL is not set, so there is no mail server to try.')
    const { origin } = new URL(config.publicUrl)
    const body = letter([`The chat server at ${origin} can send mail to this address.`])
    const mail = { ...body, to: address, sender: config.organization, title: 'Mail works' }
    const unique = { messageId: randomUUID(), date: systemClock(), unsubscribeUrl: null }
    await transport
      .send({ ...mail, ...unique }, async () => {})
      .catch((error: Error) => {
        throw new Error(`The mail was not sent: ${error.message}`)
      })
    const from = mailAddressOf(config)
    return {
      text: `The mail server has taken a mail from ${from} to ${address}.`,
      data: { from, to: address },
    }
  },
})

export const mailCommands = [listMails, showMail, retry, testMail]

function mailData({ id, created_at, kind, recipient, state, tries, error }: MailRow) {
  return { id, created_at, kind, recipient, state, tries, error }
}

/** Returns the newest mails of all organizations. If a state is given, only mails in this state. */
async function newestMails({ databases }: Realms, state: string | undefined): Promise<MailRow[]> {
  const found = await Promise.all(
    databases.all.map(({ read }) => {
      const all = mailsHere(read).orderBy('id', 'desc').limit(cliLimits.mailsListed)
      return (state === undefined ? all : all.where('state', '=', state)).execute()
    }),
  )
  const mails = found.flat().sort((a, b) => b.created_at - a.created_at || b.id - a.id)
  return mails.slice(0, cliLimits.mailsListed)
}

/** Leaves out mails of organizations that are not in this database: a move has left them behind, or is copying them. */
function mailsHere(read: Reader) {
  const here = read.selectFrom('realm_head').select('realm_id')
  return read.selectFrom('mail').where('realm_id', 'in', here).selectAll()
}

/** Ids are unique in each database. `name`: of the organization, where mails of several have the id. */
async function mailById({ databases, places }: Realms, id: string, name?: string): Promise<MailRow> {
  if (!/^\d{1,15}$/.test(id)) throw new UsageError(`${id} is not the ID of a mail: that is a number.`)
  const [realm] = name === undefined ? [] : await places.named([name === '-' ? '' : name])
  const looks = databases.all.map(({ read }) => mailsHere(read).where('id', '=', Number(id)).execute())
  const mails = (await Promise.all(looks)).flat()
  const [mail, another] = name === undefined ? mails : mails.filter(({ realm_id }) => realm_id === realm?.id)
  if (!mail) throw new Error(`There is no mail ${id}; rookery mail list shows those that there are.`)
  if (another) throw new UsageError(`Several organizations have a mail ${id}: name one with --realm.`)
  return mail
}
