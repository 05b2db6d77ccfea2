import { requireHuman } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { PageAnswer } from '../../../http/responses/answer-kinds.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { page } from '../kernel/pages/layout.ts'
import { type TextKey, type Texts, textsOf } from '../kernel/pages/texts.ts'
import { ownKeys, ownLogins, ownSessions } from '../kernel/sessions/own-logins.ts'

export const showAccount = query('GET /account', {
  summary: "Show the account page with the current user's sessions and API keys",
  root: true,
  access: requireHuman,
  params: {},
  returns: {},
  async handle({ realm, me, read, site, request }) {
    const sessions = ownSessions(realm, site, me, request)
    const keys = ownKeys(realm, me, request)
    const logins = await ownLogins(read, me)
    const texts = textsOf({ realm, request })
    const { t } = texts
    const signedIn = t('account.signed_in', { name: me.full_name, email: me.delivery_email })
    const body = html`
<p><a href="/">${t('account.back')}</a></p>
<p>${signedIn}</p>
<form method="post" action="/logout"><button>${t('account.sign_out')}</button></form>
<h2>${t('account.browsers')}</h2>
${table(t, sessions, (one) => `/account/sessions/${one.id}/end`, 'account.sign_out')}
<h2>${t('account.keys')}</h2>
${keys.length === 0 ? html`<p>${t('account.no_keys')}</p>` : table(t, keys, (one) => `/account/keys/${one.id}/revoke`, 'account.revoke')}
<h2>${t('account.logins')}</h2>
<table>
${heads(t('account.when'), t('account.how'), t('account.client'), t('account.address'))}
${logins.map(({ at, method, client, ip }) => html`<tr><td>${time(at)}</td><td>${method}</td><td>${client}</td><td>${ip}</td></tr>\n`)}
</table>
`
    return new PageAnswer(page(texts, realm.row.name, body))
  },
})

type Row = {
  id: number
  client: string
  created_at: number
  last_used_at: number | null
  is_current: boolean
}

function heads(...names: string[]): Html {
  return html`<tr>${names.map((name) => html`<th>${name}</th>`)}</tr>`
}

function table(t: Texts['t'], rows: Row[], action: (row: Row) => string, label: TextKey): Html {
  return html`<table>
${heads(t('account.client'), t('account.since'), t('account.last_used'), '')}
${rows.map((row) => line(t, row, action(row), label))}</table>`
}

function line(t: Texts['t'], row: Row, action: string, label: TextKey): Html {
  const { client, created_at, last_used_at } = row
  return html`<tr><td>${row.is_current ? t('account.this_one', { client }) : client}</td><td>${time(created_at)}</td>
<td>${last_used_at === null ? '' : day(last_used_at)}</td>
<td><form method="post" action="${action}"><button class="plain">${t(label)}</button></form></td></tr>
`
}

function time(seconds: number): Html {
  return html`${day(seconds)} <time>${new Date(seconds * 1000).toISOString().slice(11, 16)} UTC</time>`
}

function day(seconds: number): Html {
  return html`<time>${new Date(seconds * 1000).toISOString().slice(0, 10)}</time>`
}
