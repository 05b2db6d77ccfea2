import type { Feature } from '../feature.ts'
import * as alertWords from './alert-words/index.ts'
import * as avatars from './avatars/index.ts'
import * as groups from './groups/index.ts'
import * as presence from './presence/index.ts'
import * as profileFields from './profile-fields/index.ts'
import * as status from './status/index.ts'
import * as users from './users/index.ts'

/**
 * Users, and the data that they show of themselves. The order is the order of the events that follow from one change.
 */
export const peopleFeatures: Feature[] = [users, groups, alertWords, avatars, presence, profileFields, status]
