import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../lib/network/network-of.ts'
import type { Site } from '../../lib/site.ts'
import type { NamedRealm } from '../../log/realm-places.ts'
import { bodyIn, type FormFields, readBody } from '../body/body.ts'
import { readMethods, routed } from '../connection/head.ts'
import { httpLimits } from '../limits.ts'
import type { NodeServices } from '../node-services.ts'
import { fieldsOf } from '../request-params.ts'
import { methodNotAllowed } from './answer.ts'
import { PageAnswer, type RedirectAnswer } from './answer-kinds.ts'
import { sendPage, sendRedirect } from './pages.ts'

/** What a page of the whole server receives. */
export type SitePageContext = {
  site: Site
  fields: FormFields
  /** Returns the organizations with these names. */
  organizations(names: string[]): Promise<NamedRealm[]>
  header(name: string): string | undefined
}

/** A page of the whole server. It is served on every host name, even of no organization, and without login. */
export type SitePage = {
  method: 'GET' | 'POST'
  path: string
  handle(context: SitePageContext): Promise<PageAnswer | RedirectAnswer>
}

/** The group of these callers in semaphores: a name that no organization has. */
const siteCallers = '@site'

/** Lets the server answer at the page's path, without login. */
export function serveSitePage(app: FastifyInstance, page: SitePage, services: () => NodeServices) {
  const allowed = page.method === 'GET' ? readMethods : [page.method]
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!allowed.includes(request.method)) return methodNotAllowed(reply, allowed)
    const { site, realms, rateLimits } = services()
    rateLimits.check(null, request.ip, reply)
    const { fields } = await readBody(bodyIn(request), httpLimits.smallBody)
    const who = { group: siteCallers, name: networkOf(request.ip) }
    const answer = await page.handle({
      site,
      fields: fieldsOf(request, fields),
      organizations: (names) => realms.places.named(names, (connections) => connections.readFor(who)),
      header: (name) => request.headers[name]?.toString(),
    })
    return answer instanceof PageAnswer ? sendPage(reply, answer) : sendRedirect(reply, answer)
  }
  app.route({ method: routed, url: page.path, handler })
}
