import type { ApiError } from '../../../../lib/api-error.ts'
import { type Html, html } from '../../../../lib/text/html.ts'
import { stylesheet } from './style.ts'
import { type Texts, textsFor } from './texts.ts'

/** The page where a browser chooses between organizations. It is at every host of this server. */
export const organizationsPath = '/accounts/go'

/** Returns a whole page without scripts: a title, which is also the heading, and the body. */
export function page({ language }: Pick<Texts, 'language'>, title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${stylesheet.url}">
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
}

/** Returns the page that shows an error in a browser, which accepts these languages. */
export function errorPage({ status, code, message }: ApiError, accepted: string | undefined): Html {
  const texts = textsFor(accepted)
  const { t } = texts
  const others = html`<p><a href="${organizationsPath}">${t('organizations.other')}</a></p>`
  if (code === 'NONEXISTENT_SUBDOMAIN') {
    const body = html`<p role="alert">${t('error.no_organization_text')}</p>\n${others}`
    return page(texts, t('error.no_organization'), body)
  }
  const title = t(status >= 500 ? 'error.server' : status === 404 ? 'error.not_found' : 'error.other')
  const text = message === 'Page not found' ? t('error.no_page') : texts.errorText(message)
  // Nobody can sign in to a deactivated organization.
  const isClosed = code === 'REALM_DEACTIVATED'
  const link = isClosed ? others : html`<p><a href="/login">${t('sign_in.submit')}</a></p>`
  return page(texts, title, html`<p role="alert">${text}</p>\n${link}`)
}
