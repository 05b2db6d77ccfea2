import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { trySmtp } from '../../adapters/mail/smtp.ts'
import { checkSignOn } from '../../adapters/sign-on/configured-sign-on.ts'
import type { Config } from '../../config/config.ts'
import { ComponentError, reasonOf } from '../../lib/component.ts'
import { messageOf } from '../../lib/errors.ts'
import { guard, ignore } from '../../lib/guard.ts'
import { must } from '../../lib/must.ts'
import { adaptersOf, mailAddressOf } from '../context.ts'
import type { Finding } from './checks.ts'

/** How long a service may take to respond, in milliseconds. */
const patience = 30_000

/** Sends a request to every service that the settings name, as the server would; nothing of that stays. */
export async function* checkServices(config: Config): AsyncGenerator<Finding> {
  yield* checkMail(config)
  yield* checkFiles(config)
  yield* checkDirectory(config)
  const { signOn, push, bigBlueButton } = adaptersOf(config)
  if (signOn?.openId) {
    const back = `${config.publicUrl}/login/openid/callback`
    const advice = 'ROOKERY_OIDC_ISSUER is the URL below which /.well-known/openid-configuration is.'
    yield await ask('the OpenID Connect provider', advice, () =>
      must(signOn.openId, 'OpenID Connect provider').begin(back),
    )
  }
  if (push) {
    const advice =
      'See that ROOKERY_PUSH_RELAY_URL and ROOKERY_PUSH_RELAY_KEY are those that the relay gave you.'
    yield await ask('the push relay', advice, (signal) => push.send([], signal))
  }
  if (bigBlueButton) {
    const advice =
      'See that ROOKERY_BIGBLUEBUTTON_URL ends before its api/, and the secret is what bbb-conf --secret shows.'
    yield await ask('the BigBlueButton server', advice, () => bigBlueButton.check())
  }
}

async function* checkMail(config: Config): AsyncGenerator<Finding> {
  const { smtpUrl, mailFrom } = config
  if (smtpUrl === undefined) return
  const advice =
    'See ROOKERY_SMTP_URL: smtps:// speaks TLS from the start, smtp:// does not; rookery mail test sends a mail.'
  yield await ask('the mail server', advice, () => trySmtp(smtpUrl))
  const sender = mailAddressOf(config)
  const isKnownOutside = /@[^@[\]]+\.[^@.[\]]+$/.test(sender)
  if (mailFrom !== undefined || isKnownOutside) return
  yield {
    level: 'warn',
    what: `mails come from ${sender}, which other mail servers refuse`,
    advice: 'Set ROOKERY_MAIL_FROM to an address of a domain of yours.',
  }
}

async function* checkFiles(config: Config): AsyncGenerator<Finding> {
  if (config.s3Bucket === undefined) return
  const { files } = adaptersOf(config)
  const [path, content] = [`doctor/${randomUUID()}`, 'Looking whether the bucket works.']
  const advice =
    'See that the bucket exists, and that the key may read, write, list and delete in it (ROOKERY_S3_…).'
  yield await ask(`the bucket ${config.s3Bucket}`, advice, async () => {
    await files.put(path, Buffer.from(content))
    const found = await files.open(path)
    if (!found || (await text(found.content)) !== content)
      throw new Error('the file that was written is not there')
    for await (const _ of files.list('doctor/')) break
    await files.remove(path)
  })
}

async function* checkDirectory(config: Config): AsyncGenerator<Finding> {
  const { directory } = adaptersOf(config).signOn ?? {}
  if (!directory) return
  const advice =
    'See ROOKERY_LDAP_URL, ROOKERY_LDAP_BIND_DN with its password, ROOKERY_LDAP_BASE and ROOKERY_LDAP_FILTER.'
  yield await ask('the directory', advice, async () => {
    await checkSignOn(config)
    // No entry has this name, so this checks everything but a user's password.
    await directory.check(randomUUID(), randomUUID(), async () => {})
  })
}

async function ask(
  what: string,
  advice: string,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<Finding> {
  const signal = AbortSignal.timeout(patience)
  const late = new Promise<never>((_, reject) => {
    const giveUp = guard(ignore, () => reject(new Error('there was no answer in time')))
    signal.addEventListener('abort', giveUp, { once: true })
  })
  try {
    await Promise.race([work(signal), late])
    return { level: 'ok', what: `${what} works` }
  } catch (error) {
    const reason = error instanceof ComponentError ? reasonOf(error) : messageOf(error)
    return { level: 'FAIL', what: `${what} does not work: ${reason.replace(/\.$/, '')}`, advice }
  }
}
