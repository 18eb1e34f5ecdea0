import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '../limits.ts'
import { findVariableProblem } from './variable-problem.ts'

/** Written out: a name that falls out of the list must be missed here. */
const LOADERS =
  'LD_X DYLD_X BASH_X GIT_X NODE_X NPM_X PYTHONX PERLX RUBYX JAVA_X _JAVAX JDK_X LUA_X PHPX GCONV_X GLIBC_X MALLOC_X ' +
  'OPENSSL_X RUBICON_X SHELLOPTS DOTNET_X CORECLR_X COR_X ERL_X RSYNC_X MAVEN_X GRADLE_X GTK_X QT_X XDG_X ' +
  'SSL_X CURL_X REQUESTS_X HTTPS_PROXY'
const NAMES =
  'PATH ENV IFS PS4 EDITOR VISUAL PAGER HOME BROWSER LESSOPEN CLASSPATH TAR_OPTIONS MAKEFLAGS WGETRC R_PROFILE'

test('no variable is set with which a program runs, asks or believes somebody else', () => {
  for (const name of `${LOADERS} ${NAMES}`.split(' '))
    assert.match(findVariableProblem(name) ?? '', /not for a tool to set/, name)
})

test('what only resembles such a name may be set', () => {
  for (const name of ['MY_PATH', 'PATHS', 'XLD_', 'PROXY', 'MY_PROXY_OF', 'KEY_1', '_', 'A'])
    assert.equal(findVariableProblem(name), undefined, name)
})

test('a name is capitals, digits and `_`, begins with no digit, and is as long as an identifier', () => {
  assert.equal(findVariableProblem('A'.repeat(LIMITS.identifierLength)), undefined)
  for (const name of ['A'.repeat(LIMITS.identifierLength + 1), '', '1A', 'a', 'A-B', 'Ä', 7, null])
    assert.match(findVariableProblem(name) ?? '', /is no name of a variable/, String(name))
})
