/** What is added to some seeds and not to others, which keep the histories in which rare mistakes were found. */

const KEYED_EVERY = 4
/** In every so many agents ask models; in some that are judged in full, too. */
const THINKING = { every: 8, from: 3 }
const THOROUGH_THINKING = { every: 64, from: 32 }
/** In every so many guards and auditors ask models, and people look at what they flag. */
const ADVISED = { every: 16, from: 15 }
const THOROUGH_ADVISED = { every: 256, from: 48 }
/** In every so many alarms wake several agents, whose proposals exclude each other, and a bus tells of it. */
const ALARMED = { every: 8, from: 6 }
const THOROUGH_ALARMED = { every: 256, from: 80 }

/** In every so many agents decide under atoms, and in as many with proofs. */
const ATOMIC = { every: 16, from: 10 }
const THOROUGH_ATOMIC = { every: 128, from: 16 }
const PROVEN = { every: 16, from: 14 }
const THOROUGH_PROVEN = { every: 128, from: 64 }

/** In every so many agents change the files of a project together, and try things in branches. */
const CRAFTED = { every: 16, from: 12 }
const THOROUGH_CRAFTED = { every: 256, from: 112 }

/** In every so many clients ask for one thing twice, also at two engines; of those in which the store has a time of its own. */
const CALLED = [
  { every: 32, from: 5 },
  { every: 32, from: 29 },
]

/** In every so many people have keys for approving; not where rare mistakes were found before. */
const SIGNED = { every: 32, from: 20 }
const THOROUGH_SIGNED = { every: 256, from: 128 }

export type SeedKinds = {
  /** Agents also act at once, under keys. */
  readonly keyed: boolean
  /** Agents ask models, and use tools that are data. */
  readonly thinking: boolean
  /** Guards and auditors ask models, and people look at what they flag. */
  readonly advised: boolean
  /** Alarms wake several agents, whose proposals exclude each other; there is a bus, and who listens. */
  readonly alarmed: boolean
  /** Agents decide under atoms. */
  readonly atomic: boolean
  /** An agent decides with proofs. */
  readonly proven: boolean
  /** Agents change the files of a project together, and try things in branches. */
  readonly crafted: boolean
  /** Clients ask for one thing twice. */
  readonly called: boolean
  /** People have keys for approving, get others, and lose them. */
  readonly signed: boolean
}

export function listSeedKinds(seed: number): SeedKinds {
  const isOne = ({ every, from }: typeof THINKING): boolean => seed % every === from
  return {
    keyed: seed % KEYED_EVERY === 1,
    thinking: isOne(THINKING) || isOne(THOROUGH_THINKING),
    advised: isOne(ADVISED) || isOne(THOROUGH_ADVISED),
    alarmed: isOne(ALARMED) || isOne(THOROUGH_ALARMED),
    atomic: isOne(ATOMIC) || isOne(THOROUGH_ATOMIC),
    proven: isOne(PROVEN) || isOne(THOROUGH_PROVEN),
    crafted: isOne(CRAFTED) || isOne(THOROUGH_CRAFTED),
    called: CALLED.some(isOne),
    signed: isOne(SIGNED) || isOne(THOROUGH_SIGNED),
  }
}
