import { z } from 'zod'
import type { CallerContext } from '../../../http/endpoint.ts'
import { lower } from '../../../lib/text/lower.ts'
import { channelLimits } from '../../kernel/channels/limits.ts'
import { channelDescription, channelName, channelNameSchema } from '../../kernel/channels/names.ts'
import { renderedDescription } from '../kernel/channels/description.ts'
import { colorFormat } from './colors.ts'

/** A requested channel. The description applies if the channel is created. */
export const wantedChannelSchema = z.object({
  // Checked by channelName, with the reference server's error texts.
  name: z.string().meta(channelNameSchema),
  description: z.string().max(channelLimits.channelDescriptionLength).optional(),
  color: z.string().regex(colorFormat).optional(),
})

export type WantedChannel = {
  /** Its name in lower case, which identifies the channel. */
  key: string
  color: string | undefined
  text: { name: string; description: string; rendered_description: string }
}

/** Returns the requested channels as they are stored, each name once. */
export function wantedChannels(
  writer: CallerContext,
  sent: z.infer<typeof wantedChannelSchema>[],
): WantedChannel[] {
  const wanted = new Map<string, WantedChannel>()
  for (const { name: sentName, description: sentDescription, color } of sent) {
    const name = channelName(sentName)
    const key = lower(name)
    if (wanted.has(key)) continue
    const description = channelDescription(sentDescription ?? '')
    wanted.set(key, {
      key,
      color: color?.toLowerCase(),
      text: { name, description, rendered_description: renderedDescription(writer, description) },
    })
  }
  return [...wanted.values()]
}
