import type { ApiError } from '../../../../lib/api-error.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { stylesheet } from './style.ts'

/** Where a browser chooses between organizations: a page that is at every host of this server. */
export const organizationsPath = '/accounts/go'

/** Returns a whole page without scripts: a title, which is also the heading, and the body. */
export function page(title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
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

/** Returns the page that shows an error in a browser. */
export function errorPage({ status, code, message }: ApiError): Html {
  if (code === 'NONEXISTENT_SUBDOMAIN') {
    const text = 'There is no organization at this address. Check that it is spelled right.'
    const link = html`<p><a href="${organizationsPath}">Another organization</a></p>`
    return page('No organization here', html`<p role="alert">${text}</p>\n${link}`)
  }
  const title = status >= 500 ? 'Something went wrong' : status === 404 ? 'Not found' : 'This did not work'
  const text = message === 'Page not found' ? 'There is no page at this address.' : message
  return page(title, html`<p role="alert">${text}</p>\n<p><a href="/login">Sign in</a></p>`)
}
