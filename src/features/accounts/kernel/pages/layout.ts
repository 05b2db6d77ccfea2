import type { ApiError } from '../../../../lib/api-error.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { stylesheet } from './style.ts'

/** A whole page: a title, which is also its heading, and what stands below. It has no script. */
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

/** What a browser shows for an error. */
export function errorPage({ status, code, message }: ApiError): Html {
  if (code === 'NONEXISTENT_SUBDOMAIN') {
    const text = 'There is no organization at this address. Check that it is spelled right.'
    return page('No organization here', html`<p role="alert">${text}</p>`)
  }
  const title = status >= 500 ? 'Something went wrong' : status === 404 ? 'Not found' : 'This did not work'
  const text = message === 'Page not found' ? 'There is no page at this address.' : message
  return page(title, html`<p role="alert">${text}</p>\n<p><a href="/login">Sign in</a></p>`)
}
