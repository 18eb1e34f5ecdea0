/**
 * Who is which human: known to whoever made the world, and to no engine. Some have two logins, and an
 * operator has said so; the auditor counts humans, whatever anybody calls himself.
 */
/** Second logins, and whose they are. */
export const SECOND_LOGINS: Readonly<Record<string, string>> = {
  'ann.lee@example.com': 'ann@example.com',
  'bob.ray@example.com': 'bob@example.com',
  'jd@example.com': 'jane.doe@example.com',
}

/** The first login of whoever is called so. */
export function findHuman(name: string): string {
  const called = name.toLowerCase()
  return SECOND_LOGINS[called] ?? called
}

export function listLogins(human: string): readonly string[] {
  const seconds = Object.entries(SECOND_LOGINS).filter(([, whose]) => whose === human)
  return [human, ...seconds.map(([login]) => login)]
}
