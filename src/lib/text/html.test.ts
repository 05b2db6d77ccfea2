import { expect, test } from 'vitest'
import { escapeHtml, html } from './html.ts'

test('a template escapes its values, also in an attribute', () => {
  const name = `"><script>alert('x')</script>&`
  expect(html`<a title="${name}">${name}</a>`.text).toBe(
    '<a title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;">' +
      '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;</a>',
  )
})

test('HTML, alone or in a list, is not', () => {
  const items = ['a<', 'b'].map((item) => html`<li>${item}</li>`)
  expect(html`<ul>${items}</ul>${html`<b>${1}</b>`}`.text).toBe('<ul><li>a&lt;</li><li>b</li></ul><b>1</b>')
})

test('a missing value leaves nothing', () => {
  expect(html`${null}${undefined}${false}${[]}|`.text).toBe('|')
  expect(escapeHtml('plain')).toBe('plain')
})
