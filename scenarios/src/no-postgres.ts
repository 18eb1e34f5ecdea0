import type { Failure } from 'rubicon-kernel'

/** What a scenario says that needs a server where there is none. */
export const NO_POSTGRES: Failure = {
  code: 'POSTGRES_MISSING',
  summary: 'this scenario needs a Postgres server, and there is none',
  why: 'RUBICON_POSTGRES is not set, and this machine has no `postgres` and `initdb` to start one',
  fix: 'install the server of your system (Debian: `apt-get install postgresql`), or set RUBICON_POSTGRES to postgres://USER@HOST/DATABASE',
}
