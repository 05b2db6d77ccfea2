import type { RealmState } from '../../log/realm-state.ts'
import type { Lookup, Named } from '../../markdown/render.ts'

/** What a message may name. Of people with the same name, none is meant unless the id is given too. */
export function markdownLookup(realm: RealmState, url: string): Lookup {
  return {
    realmUrl: url,
    userByName: (name) => named(only(realm.usersByFullName(name.toLowerCase()))),
    userById: (id) => named(realm.users.get(id)),
    channelByName: (name) => realm.channelByName(name.toLowerCase()),
    groupByName: (name) => realm.groupByName(name.toLowerCase()),
  }
}

function named(user: { id: number; full_name: string } | undefined): Named | undefined {
  return user && { id: user.id, name: user.full_name }
}

function only<T>(found: Iterable<T> & { readonly size: number }): T | undefined {
  return found.size === 1 ? [...found][0] : undefined
}
