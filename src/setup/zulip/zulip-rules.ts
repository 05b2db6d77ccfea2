import { domainName } from '../../features/organization/domains/add-domain.ts'
import { domainLimits } from '../../features/organization/domains/limits.ts'
import { linkifierLimits } from '../../features/organization/linkifiers/limits.ts'
import { checkLinkifier } from '../../features/organization/linkifiers/rules.ts'
import { checkPlayground } from '../../features/organization/playgrounds/add-playground.ts'
import { playgroundLimits } from '../../features/organization/playgrounds/limits.ts'
import type { ImportContext } from './import-context.ts'
import { unlessRefused } from './valid.ts'
import type { ZulipRow } from './zulip-tables.ts'

type Context = Pick<ImportContext, 'change' | 'source'>

/** Adds the patterns that become links, the playgrounds and the domains. */
export async function addZulipRules({ change, source }: Context) {
  const { state } = change
  const linkifiers = [...source.byId('zerver_realmfilter').values()]
  for (const [place, row] of linkifiers.sort((a, b) => a.order - b.order || a.id - b.id).entries()) {
    const linkifier = { pattern: row.pattern, url_template: linkTemplate(row) }
    const isShort = row.pattern.length <= linkifierLimits.linkifierPatternLength
    const isValid = isShort && unlessRefused(() => checkLinkifier(state, linkifier) ?? true)
    if (isValid) await change.insert('linkifier', { id: row.id, ...linkifier, place })
    else source.leftOut.add('linkifiers')
  }
  for (const { id, name, pygments_language: language, ...row } of source
    .byId('zerver_realmplayground')
    .values()) {
    const playground = { name, language, url_template: row.url_template ?? `${row.url_prefix ?? ''}{code}` }
    const isShort =
      name.length <= playgroundLimits.playgroundNameLength &&
      language.length <= playgroundLimits.playgroundLanguageLength
    const isValid = isShort && unlessRefused(() => checkPlayground(state, playground) ?? true)
    if (isValid) await change.insert('playground', { id, ...playground })
    else source.leftOut.add('linkifiers')
  }
  for (const { domain: given, allow_subdomains } of source.rows('zerver_realmdomain')) {
    const domain = unlessRefused(() => domainName(given))
    const isNew = domain !== undefined && !state.allowedDomainByName(domain)
    if (isNew && state.allowedDomains.size < domainLimits.allowedDomains) {
      await change.insert('allowed_domain', { domain, allow_subdomains })
    } else source.leftOut.add('damagedRows')
  }
}

/** Old versions have %(name)s in place of {name}. */
function linkTemplate({ url_template, url_format_string }: ZulipRow<'zerver_realmfilter'>): string {
  if (url_template !== null) return url_template
  return (url_format_string ?? '').replaceAll(/%\((\w+)\)s/g, '{$1}').replaceAll('%%', '%')
}
