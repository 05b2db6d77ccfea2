import type { Document } from '../../../http/responses/document.ts'

/**
 * The animated placeholder that clients show while a thumbnail is being created. It reserves the space of the
 * thumbnail.
 */
export const loadingPicture: Document = {
  path: '/static/images/loading/loader-black.svg',
  contentType: 'image/svg+xml',
  maxAge: 86_400,
  body: async () => [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60" width="60" height="60">' +
      '<circle cx="30" cy="30" r="20" fill="none" stroke="#000" stroke-opacity=".2" stroke-width="5"/>' +
      '<path d="M30 10a20 20 0 0 1 20 20" fill="none" stroke="#000" stroke-width="5" stroke-linecap="round">' +
      '<animateTransform attributeName="transform" type="rotate" from="0 30 30" to="360 30 30" dur="1s" ' +
      'repeatCount="indefinite"/></path></svg>',
  ],
}
