/**
 * Tokens of people as the server knows them. It ends them and makes none: whoever holds a token of an operator could
 * otherwise make themselves another person, with other roles.
 */
import { err, type Failure, ok, type Result } from 'rubicon-kernel'
import { isIn, type KnownPerson } from './people.ts'
import { changePeople } from './people-file.ts'

export type TokenKeeper = {
  /** From now on nobody signs in by it here; what was signed in by it has ended too. */
  readonly revoke: (name: string, tenant: string) => Result<KnownPerson, Failure>
}

/** Nobody else is answered while the file is waited for. */
const LOCK_MS = 250

/** `served`: the tenants of the server, the first one first. `kept`: whose token is in a file of its own. */
export function createTokenKeeper(
  file: string,
  served: readonly string[],
  kept: string | null,
): TokenKeeper {
  return {
    revoke(name, tenant) {
      // What the file has under that name is not what they come with.
      if (name === kept) return err(refuseUnknown(name))
      const change: Parameters<typeof changePeople<KnownPerson>>[1] = (known) => {
        const person = known.find((one) => one.name === name)
        if (person === undefined || !isIn(person, tenant, served)) return err(refuseUnknown(name))
        const isOperator = (one: KnownPerson): boolean =>
          one.roles.includes('operator') && isIn(one, tenant, served)
        if (isOperator(person) && known.filter(isOperator).length === 1) return err(LAST)
        // Of another tenant nothing is ended from here.
        const elsewhere = (person.tenants ?? served.slice(0, 1)).filter((one) => one !== tenant)
        const rest = elsewhere.length === 0 ? [] : [{ ...person, tenants: elsewhere }]
        const others = known.filter((one) => one !== person)
        return ok({ people: [...others, ...rest], value: person })
      }
      return changePeople<KnownPerson>(file, change, LOCK_MS)
    },
  }
}

function refuseUnknown(name: string): Failure {
  return {
    code: 'TOKEN_UNKNOWN',
    summary: `\`${name}\` has no token in the file of this server`,
    fix: 'a token that is read from a file of its own (`--token-file`) ends where that file is',
  }
}

const LAST: Failure = {
  code: 'TOKEN_LAST',
  summary: 'it is the last token of an operator',
  why: 'without it no operator could sign in any more',
  fix: 'make another with `rubicon token NAME --role operator`, or do it on the machine',
}
