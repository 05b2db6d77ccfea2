import { decodePath } from '../lib/text/decode-path.ts'
import type { Context } from './context.ts'
import type { Lookup } from './lookup.ts'

const allowedSchemes = new Set(['http', 'https', 'mailto', 'ftp', 'bitcoin', 'tel', 'sms'])

/**
 * Returns the `href` of a user's link, or undefined if it is not allowed. Without a scheme it is `http://`, unless
 * it is a path or a fragment of this server, or an email address. Addresses of the organization's client and uploads
 * become relative, so that they work under every address of the server.
 */
export function hrefOf(written: string, lookup: Pick<Lookup, 'realmUrl'>): string | undefined {
  const address = schemed(asBrowsersRead(written))
  if (address === undefined) return undefined
  const own = `${lookup.realmUrl}/`
  const isOwn =
    lookup.realmUrl && (address.startsWith(`${own}#`) || address.startsWith(`${own}user_uploads/`))
  return isOwn ? address.slice(own.length) : address
}

/** Remembers an address for the facts of the message. */
export function noteAddress(href: string, context: Context): void {
  context.addresses.push(href)
}

/** The part of an address after `/user_uploads/`, if it is an upload of this organization; decoded. */
export function uploadPath(address: string, realmUrl = ''): string | undefined {
  const own = realmUrl !== '' && address.startsWith(`${realmUrl}/`) ? address.slice(realmUrl.length) : address
  const [, path] = /^\/?user_uploads\/([^?#]+)/.exec(own) ?? []
  return path === undefined || path.split('/').includes('..') ? undefined : decodePath(path)
}

const imageSuffix = /\.(?:avif|bmp|gif|jpe?g|png|webp|heic|heif|tiff?)$/i
const videoSuffix = /\.(?:mp4|webm)$/i
const audioSuffix = /\.(?:aac|flac|m4a|mp3|mpeg|oga|ogg|opus|wav|weba|webm)$/i

/** Whether an address names a picture, judged by its path alone. */
export function isImageAddress(address: string): boolean {
  return imageSuffix.test(pathOf(address))
}

export function isVideoAddress(address: string): boolean {
  return videoSuffix.test(pathOf(address))
}

export function isAudioAddress(address: string): boolean {
  return audioSuffix.test(pathOf(address))
}

function pathOf(address: string): string {
  return address.replace(/[?#].*$/s, '')
}

/** Browsers ignore control characters around an address and newlines and tabs within it. */
function asBrowsersRead(written: string): string {
  return written
    .replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, '')
    .replace(/[\u0000-\u001f\u007f]/g, '')
    .replaceAll(' ', '%20')
}

function schemed(address: string): string | undefined {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(address) ?? []
  if (scheme !== undefined) {
    const lower = scheme.toLowerCase()
    return allowedSchemes.has(lower) ? lower + address.slice(scheme.length) : undefined
  }
  if (address.startsWith('#') && address.length > 1) return address
  if (/^[/\\]{2}/.test(address)) return `http:${address.replaceAll('\\', '/')}`
  if (address.startsWith('/')) return address
  return /^[^?#]*@/.test(address) ? `mailto:${address}` : `http://${address}`
}
