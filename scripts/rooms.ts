/**
 * The rooms of a hall, lowest first. A file imports values only from its own room and from those before it, so
 * that whoever reads a room has read everything it calls; types may come from above, as long as no circle
 * comes of it (`house.ts` looks). Files that stand loose in the hall put the rooms together.
 */
const HALLS: Readonly<Record<string, readonly string[]>> = {
  'runtime/src/engine': [
    // What all others share: rows, counters, answers, ids.
    'rows',
    // What is told of the work, and to whom.
    'telemetry',
    'notices',
    // Who may: contracts, agents, people, keys, writs, rules.
    'authority',
    // What is proven: heads, checkpoints, rows held against entries, finding entries.
    'ledger',
    // What has been done and not been taken back.
    'saga',
    // What a decision is shown and reads.
    'context',
    'flow',
    'observe',
    // What a proposal is judged on, and how the verdict is recorded.
    'judge',
    // What is settled about a decision before it is thought out.
    'atoms',
    // A person is asked.
    'escalate',
    // What was decided is sent, settled, looked into.
    'effect',
    'compensate',
    // Whose proposal stands where several agents answer one event.
    'arbitrate',
    // The way of a proposal through all of these.
    'decide',
    // The person's answer, and what it sets free.
    'approve',
    // What ends flows and instances: agents, people, budgets, time, silence.
    'close',
    // A model is asked. Above all that decides: nothing of what it says can be imported there.
    'generate',
    'reserved-kinds',
    'monitors',
    'erase',
    'archive',
    'advice',
  ],
  'verifier/src': [
    // What is found, and how it is said.
    'report',
    // Hashes and signatures, of Node or of a browser, with a second thread or without.
    'crypto',
    // What has to be remembered of every flow, in few bytes.
    'compact-records',
    // Lines become entries.
    'reading',
    // Ids, chains, tree, checkpoints, what was erased: that nothing was changed.
    'ledger',
    // Who may: contracts, people, writs; what was opened, accepted and sent stands on them at its place.
    'authority',
    // Which key signed, and that the addresses in what it signed fit; a writ is held against those above it.
    'signatures',
    // What was done is what was proposed and granted: one effect a step, in time, within budgets.
    'effects',
    // Who was asked, what they were shown, and what they decided.
    'approvals',
    // What was taken back, and whether everything was.
    'compensations',
    // All of these, entry by entry, and the World that comes of it.
    'history',
    // What a selection of entries must show.
    'bundle',
  ],
  'server/src': [
    // The Unix socket of a server: where it is, how it is opened, and how it is asked.
    'local-socket',
    // What lists are searched by: derived from the ledger, beside the store.
    'search',
    // What is answered where something is refused, and lists in pages.
    'http/problems',
    'http/connections',
    // The API document: routes as data, and the schemas of what is asked and answered.
    'http/schemas',
    // Who asks: people with tokens, cookies or a provider; agents with keys.
    'people',
    'http/agent-auth',
    // How much, and who comes after whom.
    'http/turns',
    // What is shown.
    'http/views',
    // What the store alone can answer; what is only tried; what is told while it happens.
    'http/lookups',
    'http/drafts',
    'http/events',
    // What stands before every route.
    'http/gate',
    'http/routes',
    // What goes out: replies, files of the console, and what is answered where there is no route.
    'http/replies',
    // The server, put together.
    'http',
    // The gateway to MCP servers, for the server of its process.
    'mcp',
    // What people are shown to begin with, and the command.
    'demo',
    'cli',
  ],
}

/** The loose files of a hall: above all of its rooms. */
const LOOSE = 'the hall itself'

/** The room above its own that a file would import a value from; null where it does not. */
export function findRoomAbove(path: string, target: string): string | null {
  for (const [hall, rooms] of Object.entries(HALLS)) {
    const from = findRoom(hall, rooms, path)
    const to = findRoom(hall, rooms, target)
    if (from === null || to === null || from === to || from === LOOSE) continue
    // A folder that nobody listed has no place: nothing is imported from it, and it imports nothing.
    const isBelow = rooms.includes(to) && rooms.indexOf(to) < rooms.indexOf(from)
    if (!isBelow) return to
  }
  return null
}

/** Null: outside of the hall. A room may lie within another, which then is what stands loose in it. */
function findRoom(hall: string, rooms: readonly string[], path: string): string | null {
  if (!path.startsWith(`${hall}/`)) return null
  const folder = path
    .slice(hall.length + 1)
    .split('/')
    .slice(0, -1)
  const names = folder.map((_, i) => folder.slice(0, folder.length - i).join('/'))
  return names.find((name) => rooms.includes(name)) ?? folder[0] ?? LOOSE
}
