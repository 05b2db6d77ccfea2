import { copyText } from '../../lib/copy-text.ts'
import { emojiOf } from '../../lib/emoji-of.ts'
import { t } from '../../lib/i18n.ts'
import { dateAndTime } from '../../lib/time.ts'
import { trustedHtml } from '../../lib/trusted-html.ts'
import { isSpectator } from '../../store/spectator.ts'
import { noticeFailure } from './notices.tsx'

const trusted = trustedHtml('rookery-messages')

/**
 * Shows the HTML of a message, which the server has rendered. This is the only place where HTML from elsewhere enters
 * the page: scripts in it cannot run under the page's content security policy.
 */
export function showContent(element: HTMLElement, html: string) {
  element.innerHTML = trusted(html)
  for (const span of element.querySelectorAll<HTMLElement>('span.emoji')) showEmoji(span)
  for (const time of element.querySelectorAll('time')) showTime(time)
  for (const image of element.querySelectorAll('img')) reserveSpace(image)
  for (const link of element.querySelectorAll('a')) openOutside(link)
  for (const block of element.querySelectorAll<HTMLElement>('.codehilite')) addCodeTools(block)
  for (const header of element.querySelectorAll<HTMLElement>('.spoiler-header')) prepareSpoiler(header)
  for (const mention of element.querySelectorAll<HTMLElement>('.user-mention')) prepareMention(mention)
  if (isSpectator()) return
  for (const mention of element.querySelectorAll<HTMLElement>('.user-group-mention')) prepareGroup(mention)
}

function showEmoji(span: HTMLElement) {
  const code = /\bemoji-([0-9a-f-]+)/.exec(span.className)?.[1]
  if (!code) return
  span.setAttribute('aria-label', span.title || (span.textContent ?? ''))
  span.textContent = emojiOf(code)
}

function showTime(time: HTMLTimeElement) {
  const at = Date.parse(time.dateTime)
  if (Number.isNaN(at)) return
  time.title = time.dateTime
  time.textContent = dateAndTime(at / 1000)
}

/** Gives an image its final size before it has loaded, so that nothing moves. */
function reserveSpace(image: HTMLImageElement) {
  if (image.classList.contains('emoji')) return
  image.loading = 'lazy'
  image.decoding = 'async'
  const size = /^(\d+)x(\d+)$/.exec(image.dataset.originalDimensions ?? '')
  if (!size) return
  const [width, height] = [Number(size[1]), Number(size[2])]
  const scale = Math.min(1, 360 / width, 220 / height)
  image.width = Math.round(width * scale)
  image.height = Math.round(height * scale)
}

/** People may write any address, also one that is none: then the parts of the link are empty. */
function openOutside(link: HTMLAnchorElement) {
  if (link.origin === location.origin && link.pathname === '/') {
    link.setAttribute('href', link.hash)
    return
  }
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
}

function addCodeTools(block: HTMLElement) {
  const tools = document.createElement('div')
  tools.className = 'code-tools'
  const language = block.dataset.codeLanguage
  if (language) tools.append(language)
  const copy = document.createElement('button')
  copy.type = 'button'
  copy.textContent = t('code.copy')
  const say = () => {
    copy.textContent = t('code.copied')
    setTimeout(() => {
      copy.textContent = t('code.copy')
    }, 1500)
  }
  copy.addEventListener('click', () =>
    copyText(block.querySelector('code')?.textContent ?? '').then(say, noticeFailure),
  )
  tools.append(copy)
  block.append(tools)
}

function prepareSpoiler(header: HTMLElement) {
  header.tabIndex = 0
  header.setAttribute('role', 'button')
  header.setAttribute('aria-expanded', 'false')
  if (!header.textContent?.trim()) header.append(t('spoiler.title'))
  const toggle = () => {
    const isOpen = header.parentElement?.classList.toggle('open') ?? false
    header.setAttribute('aria-expanded', String(isOpen))
  }
  header.addEventListener('click', (event) => {
    if (!(event.target as Element).closest('a')) toggle()
  })
  header.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    event.stopPropagation()
    toggle()
  })
}

function prepareMention(mention: HTMLElement) {
  if (mention.dataset.userId !== '*') {
    mention.tabIndex = -1
    mention.setAttribute('role', 'button')
  }
}

function prepareGroup(mention: HTMLElement) {
  mention.tabIndex = 0
  mention.setAttribute('role', 'button')
  mention.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    event.stopPropagation()
    mention.click()
  })
}
