import { z } from 'zod'
import { roles } from '../../../db/roles.ts'
import { boolean, type Values } from '../../../http/params.ts'

/** The parameters, shared by all operations that return users, for the form in which the caller wants them. */
export const formatParams = {
  client_gravatar: boolean().default(true).alias('client_avatar_provider'),
  include_custom_profile_fields: boolean().default(false),
}

/** Returns the form in which the caller wants users. */
export function formatWanted({
  client_gravatar,
  include_custom_profile_fields,
}: Values<typeof formatParams>) {
  return { clientGravatar: client_gravatar, includeProfile: include_custom_profile_fields }
}

export const roleSchema = z.int().meta({ enum: Object.values(roles) })

/** The user object, for the API document. */
export const userSchema = z.object({
  user_id: z.int(),
  delivery_email: z.string().nullable(),
  email: z.string(),
  full_name: z.string(),
  date_joined: z.string(),
  is_active: z.boolean(),
  is_owner: z.boolean(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  is_bot: z.boolean(),
  bot_type: z
    .int()
    .meta({ enum: [1, 2, 3, 4] })
    .nullable(),
  bot_owner_id: z.int().nullable(),
  role: roleSchema,
  timezone: z.string(),
  avatar_url: z.string().nullable(),
  avatar_version: z.int(),
  profile_data: z
    .record(z.string(), z.object({ value: z.string(), rendered_value: z.string().optional() }))
    .optional(),
})
