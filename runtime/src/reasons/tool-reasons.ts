/** Codes of tools that are data: why a call of one did not leave, or says nothing. They stand in the details of a step. */
import type { EngineReason } from './engine-reasons.ts'

export const TOOL_REASONS: Readonly<Record<string, EngineReason>> = {
  EGRESS_DENIED: {
    means: 'the tool would connect to an address that it may not reach',
    why: 'the tools file names scheme, host, port and method, and every address of the host must be of the class that it says; nothing was sent',
    fix: 'allow it in `allow.http` of the tools file (`addresses` for a network of your own), or correct the URL',
  },
  HOST_UNRESOLVED: {
    means: 'the host of the tool has no address',
    why: 'its name could not be resolved; nothing was sent',
    fix: 'check the name and the DNS of this machine; the call may be tried again',
  },
  CONNECTION_FAILED: {
    means: 'there was no connection to the host of the tool',
    why: 'nobody answered at any of its addresses, or its certificate is not valid for it; nothing was sent',
    fix: 'see that the provider runs, and whether its certificate is trusted (NODE_EXTRA_CA_CERTS)',
  },
  PROVISIONAL_ANSWERS: {
    means: 'a server said again and again that it was going to answer, and was not waited for',
    why: 'of provisional answers (1xx) sixteen are read; what was sent may have been carried out',
    fix: 'look at the provider and at the proxies in front of it; the outcome is found out like that of any answer that was lost',
  },
  COMMAND_DENIED: {
    means: 'the tool would start a program that it may not start',
    why: 'only a file that the tools file names is started, and only as it was when it was named; nothing was started',
    fix: 'name the file itself in `allow.commands`; its owner alone may write it',
  },
  COMMAND_NOT_STARTED: {
    means: 'the program of the tool was not started',
    why: 'the system refused, or its time was over; nothing of it ran',
    fix: 'see `problem`: missing interpreters, too many processes, no space for its folder',
  },
  SECRET_DENIED: {
    means: 'the tool names a secret that it may not use there',
    why: 'the tools file says which tool may send which secret to which host or program',
    fix: 'add the tool and the place to the secret in the tools file, or change the manifest',
  },
  SECRET_UNAVAILABLE: {
    means: 'a secret of the tool cannot be used',
    why: 'it is not there, is not private, is too short, or may not go there; nothing was sent',
    fix: 'correct what the message names: the variable, the mode of the file, the command, or the tools file',
  },
  TEMPLATE_UNFILLED: {
    means: 'a parameter cannot stand where the manifest has it',
    why: 'a value is not sent if it is absent, or if it would leave its path segment, be read as an option, or end a header',
    fix: 'propose other parameters, or close the schema of the manifest against such values',
  },
  RESPONSE_TOO_LARGE: {
    means: 'the answer of the tool has more bytes than it may have',
    why: 'it was cut off; the outcome of the effect is UNKNOWN',
    fix: 'raise `max_bytes` in the manifest, or ask the provider for less',
  },
  RESPONSE_ENCODED: {
    means: 'the answer of the tool is compressed',
    why: 'it was asked for as it is; what it would grow to is not known before',
    fix: 'have the provider respect `Accept-Encoding: identity`',
  },
  RESPONSE_INVALID: {
    means: 'the answer of the tool cannot be read',
    why: 'it is neither strict JSON nor plain text; the outcome of the effect is UNKNOWN',
    fix: 'have the provider answer with JSON, or with nothing',
  },
}
