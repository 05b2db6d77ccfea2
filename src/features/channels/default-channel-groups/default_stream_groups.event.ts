import type { EventType } from '../../../queues/event-type.ts'
import { applyDefaultStreamGroups } from './default_stream_groups.apply.ts'
import type { DefaultGroupView } from './default-groups.ts'

type DefaultStreamGroupsEvent = {
  type: 'default_stream_groups'
  default_stream_groups: DefaultGroupView[]
}

/** Reports the complete list of default channel groups. Guests do not receive it. */
export function defaultGroupsChanged(groups: DefaultGroupView[]): DefaultStreamGroupsEvent {
  return { type: 'default_stream_groups', default_stream_groups: groups }
}

declare module '../../../log/entry.ts' {
  interface Events {
    default_stream_groups: DefaultStreamGroupsEvent
  }
}

export const defaultStreamGroupsEvent = {
  type: 'default_stream_groups',

  apply: applyDefaultStreamGroups,
} satisfies EventType<DefaultStreamGroupsEvent>
