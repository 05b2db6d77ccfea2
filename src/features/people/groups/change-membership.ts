import type { AccountRow } from '../../../db/schema.ts'
import type { CallerContext } from '../../../http/endpoint.ts'
import { realmUrl } from '../../../lib/site.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { inSteps } from '../../../log/steps.ts'
import { render } from '../../../markdown/render.ts'
import { noticeLookup } from '../../kernel/messages/markdown-lookup.ts'
import { notifyPeople } from '../../kernel/messages/notify-people.ts'
import { silentMention } from '../kernel/users/names.ts'
import { groupById, groupToJoin, groupToLeave, groupToManage } from './group-access.ts'
import { groupLimits } from './limits.ts'
import { checkAdditions, checkRemovals, checkSubgroupAdditions, checkSubgroupRemovals } from './membership.ts'

type MembershipChanges = {
  add: number[]
  remove: number[]
  addSubgroups: number[]
  removeSubgroups: number[]
}

/**
 * Changes the members of a group and notifies all users. Users whom another user has added or removed receive a
 * message. The change is committed in steps of some users and groups, each with its events. Forbidden changes are
 * refused before the first step, in the order in which they would be made.
 */
export async function changeMembership(
  context: CallerContext<'commit'>,
  groupId: number,
  changes: MembershipChanges,
) {
  const { realm, commit } = context
  groupById(realm, groupId)
  const early = planMembership(context, realm, groupId, changes)
  const single = singleChanges(early)
  await inSteps(commit, single, groupLimits.noticesPerChange, async (change, part) => {
    const isAll = part.length === single.length
    const holds = isAll && change.state === realm && change.state.changedAt === early.madeAt
    const plan = holds ? early : planMembership(context, change.state, groupId, combinedChanges(part))
    await write(change, plan)
    return plan
  })
}

/** A single change of one user or group. */
type SingleChange = [kind: keyof MembershipChanges, id: number]

function singleChanges({ me, added, removed, newSubgroups, oldSubgroups }: Plan): SingleChange[] {
  const of = (kind: keyof MembershipChanges, ids: number[]) => ids.map((id): SingleChange => [kind, id])
  return [
    ...of('add', added),
    ...of('addSubgroups', newSubgroups),
    // The current user's permission may depend on being a member, so they leave last.
    ...of(
      'remove',
      [...removed].sort((a, b) => Number(a === me.id) - Number(b === me.id)),
    ),
    ...of('removeSubgroups', oldSubgroups),
  ]
}

function combinedChanges(single: SingleChange[]): MembershipChanges {
  const changes: MembershipChanges = { add: [], remove: [], addSubgroups: [], removeSubgroups: [] }
  for (const [kind, id] of single) changes[kind].push(id)
  return changes
}

function planMembership(
  { me, site }: Pick<CallerContext, 'me' | 'site'>,
  realm: RealmState,
  groupId: number,
  changes: MembershipChanges,
) {
  const { add, remove, addSubgroups, removeSubgroups } = changes
  const none: number[] = []
  const added = add.length ? checkAdditions(realm, groupToJoin(realm, me, groupId, add), add) : none
  const removed = remove.length
    ? checkRemovals(realm, groupToLeave(realm, me, groupId, remove), remove)
    : none
  const newSubgroups = addSubgroups.length
    ? checkSubgroupAdditions(realm, groupToJoin(realm, me, groupId, []), addSubgroups)
    : none
  const oldSubgroups = removeSubgroups.length
    ? checkSubgroupRemovals(realm, groupToManage(realm, me, groupId), removeSubgroups)
    : none
  const group = realm.groups.require(groupId)
  const texts = {
    added: noticeFor(realm, { me, site }, `${silentMention(me)} added you to the group @_*${group.name}*.`),
    removed: noticeFor(
      realm,
      { me, site },
      `${silentMention(me)} removed you from the group @_*${group.name}*.`,
    ),
  }
  return { madeAt: realm.changedAt, me, group, added, removed, newSubgroups, oldSubgroups, texts }
}

type Plan = ReturnType<typeof planMembership>

function noticeFor(realm: RealmState, { me, site }: Pick<CallerContext, 'me' | 'site'>, content: string) {
  return { content, rendered: render(content, noticeLookup(realm, realmUrl(site, realm.row), me)) }
}

async function write(change: Change, plan: Plan) {
  await changeMembers(change, plan)
  await changeSubgroups(change, plan)
}

async function changeMembers(change: Change, { me, group, added, removed, texts }: Plan) {
  const rows = (ids: number[]) => ids.map((user_id) => ({ group_id: group.id, user_id }))
  if (added.length > 0) {
    await change.insertAll('group_member', rows(added))
    await notifyPeople(change, otherPeople(change.state, me, added), texts.added)
  }
  if (removed.length > 0) {
    await change.deleteAll('group_member', rows(removed))
    await notifyPeople(change, otherPeople(change.state, me, removed), texts.removed)
  }
}

async function changeSubgroups(change: Change, { group, newSubgroups, oldSubgroups }: Plan) {
  const rows = (ids: number[]) => ids.map((subgroup_id) => ({ group_id: group.id, subgroup_id }))
  await change.insertAll('group_subgroup', rows(newSubgroups))
  await change.deleteAll('group_subgroup', rows(oldSubgroups))
}

function otherPeople(realm: RealmState, me: AccountRow, ids: number[]) {
  return ids.filter((id) => {
    const user = realm.users.require(id)
    return id !== me.id && user.bot_type === null && user.is_active
  })
}
