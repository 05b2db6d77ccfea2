import type { Document } from '../../../../http/responses/document.ts'
import { emblem } from '../../../kernel/pictures/emblem.ts'

/** The logo of organizations that have uploaded none. */
export const defaultLogo: Document = {
  path: '/static/images/logo.svg',
  contentType: 'image/svg+xml',
  maxAge: 86_400,
  body: async () => [emblem],
}
