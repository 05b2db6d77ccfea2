import { anyText, httpUrl, name, optional, required } from './setting-kinds.ts'

/** The settings of video calls on Zoom. */
export const zoomSettings = {
  zoomClientId: {
    ...optional('ROOKERY_ZOOM_CLIENT_ID', name(200), 'none: no calls on Zoom'),
    summary: 'What Zoom knows this server as: the client ID of an OAuth app of your own.',
  },
  zoomClientSecret: {
    ...optional('ROOKERY_ZOOM_CLIENT_SECRET', anyText(), 'needed with a client ID'),
    summary: 'The secret that goes with it.',
    secret: true,
  },
  zoomUrl: required(
    'ROOKERY_ZOOM_URL',
    httpUrl(),
    'https://zoom.us',
    'Where people allow this server to make calls in their name.',
  ),
  zoomApiUrl: required('ROOKERY_ZOOM_API_URL', httpUrl(), 'https://api.zoom.us', 'Where calls are made.'),
} as const
