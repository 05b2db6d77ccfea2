import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allowAnonymous } from '../../../http/access.ts'
import { sessionOf, userCookie } from '../../../http/callers/session.ts'
import { query } from '../../../http/endpoint.ts'
import { PageAnswer } from '../../../http/responses/answer-kinds.ts'
import { Html, html } from '../../../lib/text/html.ts'
import { page } from '../../accounts/kernel/pages/layout.ts'
import { missingOrganization } from '../../accounts/kernel/sessions/known-organizations.ts'
import { webClientFolder } from './web-client.ts'

// Messages may have inline styles, but no script of theirs can run: none is from this server, and only the two policies
// named here may assign HTML.
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob: https://secure.gravatar.com",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types rookery-templates rookery-messages',
].join('; ')

/** The page is the same for all: it asks for what its user may see, and leads to the sign-in page without a session. */
export const showWebClient = query('GET /', {
  summary: 'Show the web client',
  root: true,
  // Many users may share a network.
  unlimited: true,
  access: allowAnonymous,
  params: {},
  returns: {},
  async handle({ realm, site, request }) {
    built ??= readFile(join(webClientFolder, 'index.html'), 'utf8').catch(() => undefined)
    const text = await built
    if (text === undefined) return new PageAnswer(notBuilt, { status: 503 })
    const session = sessionOf(realm, site, request.header('cookie'))
    const remembered = session ? missingOrganization({ realm, site, request }) : []
    const cookies = [userCookie(site, session?.user_id), ...remembered]
    return new PageAnswer(new Html(text), { policy: contentPolicy, cookies })
  },
})

let built: Promise<string | undefined> | undefined

const notBuilt = page(
  { language: 'en' },
  'The web client is not built',
  html`<p>Run <code>npm run build</code>.</p>`,
)
