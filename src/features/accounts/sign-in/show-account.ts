import { requireHuman } from '../../../http/access.ts'
import { PageAnswer } from '../../../http/answers.ts'
import { query } from '../../../http/endpoint.ts'
import { type Html, html } from '../../../lib/html.ts'
import { page } from '../kernel/pages/layout.ts'
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
    const body = html`
<p><a href="/">Back to the messages</a></p>
<p>You are signed in as ${me.full_name} (${me.delivery_email}).</p>
<form method="post" action="/logout"><button>Sign out</button></form>
<h2>Browsers</h2>
${table(sessions, (one) => `/account/sessions/${one.id}/end`, 'Sign out')}
<h2>API keys of your clients</h2>
${keys.length === 0 ? html`<p>None.</p>` : table(keys, (one) => `/account/keys/${one.id}/revoke`, 'Revoke')}
<h2>Recent logins</h2>
<table>
<tr><th>When</th><th>How</th><th>Client</th><th>Address</th></tr>
${logins.map(({ at, method, client, ip }) => html`<tr><td>${time(at)}</td><td>${method}</td><td>${client}</td><td>${ip}</td></tr>\n`)}
</table>
`
    return new PageAnswer(page(realm.realm.name, body))
  },
})

type Row = {
  id: number
  client: string
  created_at: number
  last_used_at: number | null
  is_current: boolean
}

function table(rows: Row[], action: (row: Row) => string, label: string): Html {
  return html`<table>
<tr><th>Client</th><th>Since</th><th>Last used</th><th></th></tr>
${rows.map(
  (row) => html`<tr><td>${row.client}${row.is_current && ' (this one)'}</td><td>${time(row.created_at)}</td>
<td>${row.last_used_at === null ? '' : day(row.last_used_at)}</td>
<td><form method="post" action="${action(row)}"><button class="plain">${label}</button></form></td></tr>
`,
)}</table>`
}

function time(seconds: number) {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function day(seconds: number) {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}
