/** Sentences for operators about coins, their nodes and wallets (`operator-sentences.ts`). */
export const coinSentences = {
  // The node.
  'node-unreachable': 'The node is not reachable.',
  'node-late': 'The node did not answer in time.',
  'node-broke-off': 'The connection to the node broke.',
  'node-refused-password': 'The node refused the RPC user or password.',
  'node-refuses-server': 'The node refuses calls from this server.',
  'node-busy': 'The node is busy.',
  'node-starting': 'The node is starting up.',
  'node-without-json': 'The node answered {status} without JSON.',
  'node-without-result': 'The node answered {status} without a result.',
  'node-unknown-error': 'The node answered {status} with an unknown error.',
  'node-other-chain': 'The node is on another chain than {chain}.',
  'node-fetching': 'The node is still fetching the chain.',
  'node-behind':
    'The node is behind: it has {blockCount} of {headerCount} blocks. Wait until it has fetched the rest.',
  'node-alone': 'The node has no peers, so it may be behind. Connect it to the network.',
  'node-old-blocks':
    'The node’s newest blocks are of {newestAt}, so it may be behind. Look at its peers and its clock.',
  // What the node's own words, which follow, ask for.
  'node-says': 'The node answers with an error:',
  'node-estimates-no-fee':
    'The node can’t estimate the network fee, so nothing is sent. It can after some hours online; until then set ' +
    'fallbackfee in its configuration, such as fallbackfee=0.0002, and start it again. It says:',
  'node-fee-above-cap':
    'The network fee is above the node’s own cap. Wait until fees fall, or raise maxtxfee in its configuration. ' +
    'It says:',
  'node-fee-below-floor':
    'The network fee is below what the node relays now. It is sent again; raise paytxfee in its configuration ' +
    'if fees stay high. It says:',
  'node-chain-too-long':
    'Too many payments wait for a block one after the other. They go on after the next block. The node says:',
  'wallet-lacks-coins':
    'The wallet lacks coins that it can spend now. Send coins to it, or wait until its own are confirmed. It says:',
  'wallet-lacks-keys':
    'The wallet has no address left for change. Unlock it and run keypoolrefill on the node. It says:',
  'wallet-coins-too-small':
    'The payment needs too many small coins. Join them: send the balance of the wallet to an address of its own. ' +
    'It says:',
  'host-not-allowed': 'This host is not in RPC_ALLOWED_HOSTS',
  // The test of a node.
  'node-answers': 'The node answers.',
  'node-answers-as': 'The node answers: {versionText}.',
  'node-on-network': 'It is on the network {network}.',
  'node-on-other-network': 'The node is on the network {network}, and this site pays on {payingNetwork}.',
  'node-in-sync': 'It is in sync, at block {height}.',
  'wallet-without-keys': 'The wallet has no private keys, so it can’t sign. Load the one that pays.',
  'wallet-can-not-sign': 'The wallet is locked, so it can’t sign. Unlock it with walletpassphrase.',
  'wallet-blank': 'The wallet is blank: it has no keys for change, so it can’t sign. Load the one that pays.',
  'wallet-can-sign': 'The wallet is loaded and can sign.',
  'wallet-can-pay': 'It can pay {amount}.',
  // The wallet.
  'wallet-not-loaded': 'The node has no such wallet loaded.',
  'wallets-loaded': 'The node has several wallets loaded. Unload all but one.',
  'wallet-locked': 'The wallet is locked.',
  'coins-taken': 'The wallet chose coins of an unfinished payout.',
  'not-signed': 'The wallet could not sign every input.',
  'not-complete': 'The signed payment is not complete.',
  'fee-above-cap': 'The network fee is above the cap.',
  'pays-not-as-ordered': 'The signed payment does not pay what was ordered.',
  'pays-somebody-else': 'The signed payment pays somebody else.',
  'address-wrong': 'The node says the address is wrong.',
  'address-mweb': 'MWEB addresses are not paid.',
  'address-own': 'The address belongs to the payout wallet itself.',
  'amount-too-small-for-coin': 'The amount is too small to be paid in this coin.',
  'amount-too-small-for-network': 'The amount is too small for the network.',
  // A stored payment.
  'artifact-unreadable':
    'The stored payment can’t be read. Run the release that made it, or restore its artifact from a backup.',
  'transaction-unlisted':
    'The paying wallet does not list this transaction. A payment from another wallet can’t be followed.',
  'transaction-replaced': 'Another transaction took its place.',
  'transaction-replaced-by': 'Another transaction took its place: {transactionId}.',
  'coins-spent-deep': 'Another payment spent its coins, {blockCount} blocks deep.',
  'coins-spent-by': '{transactionId} spent its coins, {blockCount} blocks deep.',
  'coins-spent-waiting': '{transactionId} spent its coins and waits for a block.',
  'coins-spent-other-amount': '{transactionId} spent its coins and pays the same address another amount.',
  'coins-spent-otherwise': 'The payout can’t be completed: its coins were spent otherwise.',
  'change-replaced':
    'It spends the change of {transactionId}, which another payment replaced, {blockCount} blocks deep.',
  'change-not-relayed': 'It spends the change of {transactionId}, which the node does not relay any more.',
  'coin-unknown': 'It spends a coin of {transactionId}, which the wallet does not know.',
} as const;
