/** The default logo, as SVG: a chess rook. */
export const emblem =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100" height="100">' +
  '<rect width="100" height="100" rx="22" fill="#3d5a80"/>' +
  '<path fill="#fff" d="M28 22h11v9h6v-9h10v9h6v-9h11v20H28z"/>' +
  '<path fill="#fff" d="M34 46h32l3 22H31z"/><rect x="24" y="71" width="52" height="9" rx="2" fill="#fff"/></svg>'
