import { untrack } from 'solid-js'
import { trustedHtml } from './trusted-html.ts'

// The compiled components import this: Solid's own, but for `template`, which works under Trusted Types. What would spread properties
// over an element is left out: it has the names of all properties that a browser knows, and components name theirs.
export {
  addEventListener,
  classList,
  className,
  createComponent,
  delegateEvents,
  effect,
  insert,
  memo,
  mergeProps,
  setAttribute,
  setBoolAttribute,
  setProperty,
  setStyleProperty,
  style,
  use,
} from 'solid-js/web'

const trusted = trustedHtml('rookery-templates')

/** Returns a function that clones a component's markup, which the compiler has written and no user. */
export function template(html: string, isImportNode?: boolean, isSvg?: boolean): () => Node {
  let made: Node | undefined
  const node = () => {
    made ??= parse(html, isSvg)
    return made
  }
  return isImportNode ? () => untrack(() => document.importNode(node(), true)) : () => node().cloneNode(true)
}

function parse(html: string, isSvg?: boolean): Node {
  const element = document.createElement('template')
  element.innerHTML = trusted(html)
  const first = element.content.firstChild
  return (isSvg ? first?.firstChild : first) as Node
}
