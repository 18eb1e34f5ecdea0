/** The hands refuse what the kernel refuses, also of a tool that nobody parsed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findVariableProblem } from './build-arguments.ts'

test('a variable by which a program runs, believes or asks somebody else is not set', () => {
  const names = ['HTTPS_PROXY', 'SSL_CERT_FILE', 'CURL_HOME', 'DOTNET_STARTUP_HOOKS', 'CLASSPATH']
  const more = ['RSYNC_RSH', 'TAR_OPTIONS', 'VISUAL', 'XDG_CONFIG_HOME', 'HOME', 'LD_PRELOAD']
  for (const name of [...names, ...more])
    assert.match(String(findVariableProblem({ [name]: 'x' })), /not for a tool to set/, name)
  assert.equal(findVariableProblem({ SHOP: 'tea', PROXY_OF_NOBODY: 'x', HOMEPAGE: 'y' }), null)
})
