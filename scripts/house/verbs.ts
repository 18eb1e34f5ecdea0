/**
 * The verbs with which a function may begin. A word that is not here makes `scripts/house.ts` count the name
 * as one without a verb: add the word if it is a verb that an engineer would look for, else rename.
 */

const PLAIN =
  `abandon abort classify crash dedent disable disconnect enable exchange excuse exhaust export focus forgive hunt inherit launch nudge overwrite pause plant tamper undo compromise
  accept acquire act add admit adopt advance advise agree aggregate allocate allow append apply
  approve archive argue arrive ask assemble assert assess assign attach attempt attenuate audit authenticate
  authorise await back become begin bind boot borrow break build buy call cancel canonicalise carry catch certify
  charge check choose cite clamp clear climb close collect combine come compare compensate compile complete
  compose compress compute conclude confirm connect consume continue convert copy count cover create decide
  declare decode decompress decrease decrypt dedupe deduplicate defer delegate delete deliver demand deny deploy
  derive describe detach detect discard discover dismiss dispatch display divide does download drain draw drive
  drop emit encode encrypt end enforce enqueue ensure enter enumerate erase escalate escape evaluate evict execute
  expand expect expire explain expose extend extract fail fetch fill filter find finish fire flatten flush fold
  follow forge forget format forward free freeze gather generate get give go govern grant greet group grow guess
  handle hang happen has hear hide hold identify ignore import include increase increment infer inform
  initialise insert inspect install integrate interpret interrupt intersect intrude invert invoke is issue iterate join
  judge jump keep kill know lay lead learn leave lend let lie lift limit list listen load locate lock look lose
  lower make match may measure meet merge migrate mint modify mount move multiply narrow negate normalise notify
  observe obtain offer omit open override overrule pad paint parse pass pay peek perform pick pin plan play pop
  predict prepare press prevent print probe process produce promote propose protect prove provide prune publish
  pull purchase push put query quote raise randomise reach react reactivate read rebase rebuild receive recheck recognise
  recompile reconcile reconnect record recover redact reduce refer refill refine refresh refund refuse register
  rehash rehearse reject release reload remember remind remove rename render renew reopen repair repeat replace
  replay reply report request rerun resend reserve reset resolve respond restart restore restrict resume retire
  retry return reuse reveal review revive revoke rewind rewrite roll round run sanitise save say scale scan
  schedule scrub seal search see select sell send serialise serve set settle shift shorten show shrink shut sign
  simulate skip sleep slice sort spare spawn speak spell spend splice split start stop store strip stub submit subscribe
  subtract sum summarise suspend swap sweep take talk tell terminate test thaw think throw to toggle trace track
  trade translate traverse trim trust try turn unescape unlink unlock unpack unschedule unseal unsubscribe unwrap
  update upgrade upload use validate verify view visit vouch wait wake walk warm warn watch weigh widen withdraw
  wrap write`.split(/\s+/)

/**
 * Nouns as often as verbs: `requestApproval` says what is done, `requestOf` and `requestText` do not. They
 * count as verbs where an object follows that is not a word of place.
 */
const NOUNS_TOO: ReadonlySet<string> = new Set(
  `average bench bind branch capture edit flag flip fuzz hand indent link pack place post rate stage
  answer act audit call change charge claim commit copy cover cut demand display draft drain end fill filter fork grant
  group guess hash index issue label lead limit lock log map mark match measure move name offer open order pin plan
  probe process prove query quote range rank record release render reply report request reserve return review round
  run seal set share sign sort split start step stop store sum swap sweep test text trace track trade trust turn
  update view visit watch work`.split(/\s+/),
)

const NO_OBJECT: ReadonlySet<string> = new Set(
  `of for in at by from with on behind before after under over within as`.split(/\s+/),
)

const VERBS: ReadonlySet<string> = new Set([...PLAIN, ...NOUNS_TOO])

/** Whether a name begins with a verb: `openFlow`, `isBlank`, `toText`. */
export function hasLeadingVerb(name: string): boolean {
  const words = name
    .replace(/^[_$]+/, '')
    .split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((word) => word.toLowerCase())
  const [first = '', second] = words
  if (!VERBS.has(first)) return false
  return !(NOUNS_TOO.has(first) && second !== undefined && NO_OBJECT.has(second))
}
