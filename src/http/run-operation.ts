import type { Readable } from 'node:stream'
import { withDatabaseSlot } from '../db/fair-reader.ts'
import { traced } from '../lib/tracer.ts'
import { readFromReplica } from '../log/read-from-replica.ts'
import type { Commit } from '../log/realm-log.ts'
import type { RealmState } from '../log/realm-state.ts'
import { type FormFields, isForm, noContent } from './body/body.ts'
import type { ReceivedFile } from './body/files.ts'
import { type Admitted, admitAgain, checkStillAdmitted } from './callers/admit.ts'
import type { Caller } from './callers/authenticate.ts'
import { lookPayer, semaphoreCaller } from './callers/caller-keys.ts'
import type { CommandContext, RequestInfo } from './endpoint.ts'
import { handleOnce, type IdempotentRequest, keyOfHeader } from './idempotency.ts'
import type { Exchange } from './node-services.ts'
import type { Params, Values } from './params.ts'
import { actorOf, requestInfo } from './request-info.ts'
import { checkCompanions, fieldsOf, readParams, unknownNames } from './request-params.ts'
import { answer } from './responses/answer.ts'

/** The body of a request: a form with files, a stream that the operation reads, or other content. */
type ReceivedBody = { form: FormFields; files?: ReceivedFile[]; stream?: Readable; content?: Buffer }

/** Runs the operation of an admitted request: takes a place, reads the parameters, calls the handler, and sends the response. */
export async function runOperation(
  exchange: Exchange,
  admitted: Admitted,
  { form, files = [], stream, content = noContent }: ReceivedBody,
) {
  const { services, log, request, reply } = exchange
  const { endpoint, caller } = admitted
  const sent = fieldsOf(request, form)
  const info = requestInfo(exchange, caller, sent, content)
  const rank = typeof endpoint.rank === 'function' ? endpoint.rank(sent) : endpoint.rank
  info.releasePlace = await services.admission.enter(rank, semaphoreCaller(log, caller, info), info.gone)
  // A file arrives as slowly as its client sends it.
  if (stream) info.releasePlace()
  try {
    const params = readParams(endpoint.params, request, sent, files, stream)
    checkCompanions(endpoint, sent)
    const body = isForm(request) ? noContent : content
    const identity = { endpoint, fields: sent, files, body }
    const mayRepeat = files.length === 0 && !stream
    const result = await handleWithSecondLook({ ...exchange, params, info }, admitted, identity, mayRepeat)
    if (info.login) services.logins.note(log.state, request, info.login)
    return answer(reply, endpoint, result, unknownNames(endpoint, sent))
  } finally {
    info.releasePlace()
  }
}

/** A request whose parameters are read. */
type Call = Exchange & { params: Values<Params>; info: RequestInfo }

/**
 * Runs the handler. If it refuses the request, has written nothing, and another node has written something meanwhile, it runs again.
 */
function handleWithSecondLook(
  call: Call,
  admitted: Admitted,
  identity: IdempotentRequest,
  mayRepeat: boolean,
): object | Promise<object> {
  const { services, log, info } = call
  const { caller } = admitted
  let hasWritten = false
  const noteWrite = () => {
    hasWritten = true
  }
  const mayStartAgain = () => mayRepeat && !hasWritten
  const attempt = () => {
    const now = admitAgain(admitted, log.state, services.site)
    const check = (state: RealmState) => checkStillAdmitted(now, state, mayStartAgain())
    return handle(contextOf(call, now, check, noteWrite), identity, caller)
  }
  return services.secondLooks.run(log, lookPayer(caller, info), attempt, mayStartAgain)
}

/** Runs the handler, under the request's idempotency key if it has one. Keys belong to users, so anonymous callers have none. */
async function handle(
  context: CommandContext<Params, unknown>,
  identity: IdempotentRequest,
  caller: Caller | null,
) {
  const { endpoint } = identity
  if (!caller || !endpoint.creates) return endpoint.handle(context)
  const header = context.request.header('idempotency-key')
  const key = header === undefined ? endpoint.keyOf?.(context) : await keyOfHeader(header, identity, context)
  return key ? handleOnce(endpoint, context, caller.user.id, key) : endpoint.handle(context)
}

/** Returns the context of an operation. `check` runs before each of its commits, and `noteWrite` after each write. */
function contextOf(
  { services, log, params, info }: Call,
  { endpoint, caller, me, epoch }: Admitted,
  check: (state: RealmState) => void,
  noteWrite: () => void,
): CommandContext<Params, unknown> {
  const { realms, queues, site, adapters, tracer } = services
  const who = semaphoreCaller(log, caller, info)
  const commit: Commit = async (work) => {
    const actor = actorOf(endpoint, caller, info)
    const checked: typeof work = (change) => {
      check(change.state)
      return work(change)
    }
    const result = await traced(tracer, 'commit', {}, () =>
      withDatabaseSlot(realms.writing, who, () => log.commitIn(epoch, checked, actor)),
    )
    noteWrite()
    return result
  }
  return {
    realm: log.state,
    me,
    params,
    request: info,
    site,
    adapters,
    read: endpoint.fromReplica ? readFromReplica(log, who) : log.database.readFor(who),
    catchUp: () => log.tryToCatchUp(),
    organizations: (names) => realms.places.named(names, (connections) => connections.readFor(who)),
    queues: queues.of(log),
    commit,
    conclude: commit,
    requestKey: null,
    async commitInGroup(kind, item) {
      const id = await traced(tracer, 'batched write', { kind: kind.name }, () =>
        log.commitInGroup(kind, item, epoch),
      )
      noteWrite()
      return id
    },
  }
}
