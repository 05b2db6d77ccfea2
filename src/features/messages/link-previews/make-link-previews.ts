import { sql } from 'kysely'
import type { MessageRow } from '../../../db/schema.ts'
import { finishJob, type Job, type JobContext, type JobHandler } from '../../../jobs/job.ts'
import { realmUrl } from '../../../lib/site.ts'
import { bucketsPerNode } from '../../../lib/token-bucket.ts'
import { render, withLinkPreviews } from '../../../markdown/render.ts'
import { linkPreviewJob } from '../../kernel/link-previews/job-kind.ts'
import { markdownLookup } from '../../kernel/messages/markdown-lookup.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { knownPages, pageLookup } from '../kernel/link-previews/known-pages.ts'
import { rewriteHtml } from '../kernel/messages/rewrite-html.ts'
import { externalAddresses } from '../kernel/uploads/external-content.ts'
import { linkPreviewLimits } from './limits.ts'
import { readWebPage } from './read-web-page.ts'

/** Reads the pages that a message links to, and shows previews of them below it. */
export const linkPreviewing: JobHandler = {
  kind: linkPreviewJob,
  within: 0,
  // How long it takes is up to other servers, so it also has slots of its own.
  isLong: true,
  concurrency: linkPreviewLimits.concurrentLinkPreviews,

  async run(context, job) {
    const { log, read } = context
    const [message] = await read.rows(messageQuery(job))
    const show = message && (await previewsFor(context, message))
    await log.commit(async (change) => {
      if (!(await finishJob(change, job))) return
      const [current] = await change.run(messageQuery(job))
      // An edit shows the previews of its own text, or has scheduled them.
      if (!show || current?.content !== message.content) return
      const html = show(current.rendered_content)
      if (html !== current.rendered_content) await rewriteHtml(change, current, html)
    })
  },

  /** Nothing is left to do: a message may have no previews. */
  async giveUp({ log }, job) {
    await log.commit((change) => finishJob(change, job))
  },
}

function messageQuery({ realm_id, subject_id }: Job) {
  return sql<MessageRow>`SELECT * FROM message WHERE realm_id = ${realm_id} AND id = ${subject_id}`
}

/**
 * Reads the pages that nobody has read lately. Returns the function that shows them all in the HTML of the message, or
 * undefined if the organization shows no previews, or the sender links to too many pages.
 */
async function previewsFor(context: JobContext, { content, sender_id }: MessageRow) {
  const { log, read, site } = context
  const sender = log.state.users.require(sender_id)
  const lookup = () => ({
    ...markdownLookup(log.state, realmUrl(site, log.state.row), sender),
    ...pageLookup(log.state, site),
  })
  const atFirst = lookup()
  const { pages } = render(content, atFirst).facts
  const unread = pages.filter((address) => atFirst.linkPreview?.(address) === undefined)
  const person = sender.bot_owner_id ?? sender_id
  if (unread.length > 0 && !people(site).take(`${log.state.id} ${person}`).allowed) return undefined
  for (const address of unread) await learn(context, address)
  const externalContent = await externalAddresses(read, log.state)
  return (html: string) => {
    const now = lookup()
    // While the pages were read, the organization may have turned previews off.
    return now.linkPreview ? withLinkPreviews(html, pages, { ...now, externalContent }) : html
  }
}

const people = bucketsPerNode('link previews', linkPreviewLimits.linkPreviewsPerMinute, 60)
const sites = bucketsPerNode('pages of a site', linkPreviewLimits.pagesOfSitePerMinute, 60)

async function learn({ log, site, adapters, stopping }: JobContext, address: string) {
  const pages = knownPages(log.state)
  // Another job may have read it meanwhile.
  if (pages.find(address, site.clock()) !== undefined) return
  const language = realmSettings(log.state).default_language
  const mayRead = sites(site).take(new URL(address).hostname).allowed
  const preview = mayRead
    ? await readWebPage(address, { fetch: adapters.fetch, language, signal: stopping })
    : undefined
  if (preview === undefined) pages.keepFailed(address, site.clock())
  else pages.keep(address, preview, site.clock())
}
