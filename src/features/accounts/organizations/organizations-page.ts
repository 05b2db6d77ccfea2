import { PageAnswer } from '../../../http/responses/answer-kinds.ts'
import { pagePolicy } from '../../../http/responses/pages.ts'
import type { SitePageContext } from '../../../http/responses/site-page.ts'
import { realmAddress, realmUrl, type Site, subdomainOf } from '../../../lib/site.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import type { NamedRealm } from '../../../log/realm-places.ts'
import { realmIconUrl } from '../../organization/organization-pictures/picture-urls.ts'
import { organizationsPath, page } from '../kernel/pages/layout.ts'
import { type Texts, textsFor } from '../kernel/pages/texts.ts'
import { knownOrganizations } from '../kernel/sessions/known-organizations.ts'

/** The text that the user typed before, and why it leads nowhere. */
type Failed = { status: number; message: string; typed: string }

/** Returns the page that lists the organizations this browser has signed in to, and leads to others. */
export async function organizationsPage(
  { site, organizations, header }: SitePageContext,
  failed?: Failed,
): Promise<PageAnswer> {
  const texts = textsFor(header('accept-language'))
  const { t } = texts
  const found = await organizations(knownOrganizations(header('cookie')))
  const present = subdomainOf(site, header('host'))
  const body = html`
${found.length > 0 ? list(t, site, found, present) : html`<p>${t('organizations.none')}</p>`}
${failed && html`<p role="alert" id="failed">${failed.message}</p>`}
${addressForm(t, site, failed, found.length === 0)}
`
  const { protocol, host } = site.publicUrl
  return new PageAnswer(page(texts, t('organizations.title'), body), {
    status: failed?.status ?? 200,
    // Their icons are at their own addresses, and the form leads to one of them.
    policy: pagePolicy(`${protocol}//${host} ${protocol}//*.${host}`),
  })
}

function list(t: Texts['t'], site: Site, found: NamedRealm[], present: string): Html {
  return html`<ul class="organizations" role="list">
${found.map((one) => entry(t, site, one, one.subdomain === present))}</ul>
<form method="post" action="${forgetPath}">
<p class="note">${t('organizations.note')}</p>
<button class="plain">${t('organizations.forget_all')}</button>
</form>
<h2>${t('organizations.other')}</h2>`
}

function entry(t: Texts['t'], site: Site, organization: NamedRealm, isPresent: boolean): Html {
  const { name, subdomain } = organization
  const url = realmUrl(site, organization)
  return html`<li>
<a href="${url}/"${isPresent && html` aria-current="true"`}>
<img src="${url}${realmIconUrl(organization)}" alt="" width="40" height="40">
<span><strong dir="auto">${name}</strong>${isPresent && ` ${t('organizations.this_one')}`}<br><small>${realmAddress(site, organization)}</small></span>
</a>
<form method="post" action="${forgetPath}"><button class="plain" name="organization" value="${subdomain}" aria-label="${t('organizations.forget_named', { name })}">${t('organizations.forget')}</button></form>
</li>
`
}

function addressForm(t: Texts['t'], site: Site, failed: Failed | undefined, isAlone: boolean): Html {
  const example = realmAddress(site, { subdomain: 'acme' })
  const focused = (failed || isAlone) && html` autofocus`
  const wrong = failed && html` aria-invalid="true" aria-describedby="failed"`
  return html`<form action="${organizationsPath}">
<label>${t('organizations.field', { example })}
<input name="organization" value="${failed?.typed}" autocapitalize="off" autocomplete="off" spellcheck="false" required${focused}${wrong}></label>
<button>${t('organizations.go')}</button>
</form>`
}

export const forgetPath = `${organizationsPath}/forget`
