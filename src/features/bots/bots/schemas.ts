import { z } from 'zod'

/** The defaults of a bot, for the API document. */
export const defaultsSchema = {
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
}
