/** Sentences for operators about payouts through any rail (`operator-sentences.ts`). */
export const payoutSentences = {
  'our-fault': 'A fault on our side; see the log.',
  // Why an act on many requests left one out.
  'look-first': 'It should be looked at first, as its flags say.',
  'first-approval-given':
    'This approval would pay now: another operator gave the first one, or you approved less. Look again.',
  'own-plan-unfinished': 'Your last look at all pending requests is not finished. Try again in a moment.',
  'other-plans-unfinished': 'Other operators look at all pending requests just now. Try again in a moment.',
  'no-operator-any-more':
    'Who asked for it is no operator any more, or said that somebody else used the account. Nothing was decided.',
  'act-stopped': 'An operator stopped the act before this request was decided.',
  // The ordinary course of a payout.
  'payout-queued': 'It waits for its turn.',
  'payout-delayed': 'It is prepared after the time in which its approval can be taken back.',
  'payout-signed': 'It is prepared and is sent next.',
  'payout-broadcast': 'It was sent and is not final yet.',
  'payout-parked': 'It is being checked, and is looked up again by itself.',
  // What stops a payout.
  'payouts-paused': 'Payouts are paused by an operator. Nothing is signed or sent until they are resumed.',
  'member-suspended':
    'Withdrawals of this member are suspended. It waits until the suspension ends, or until an operator gives it up.',
  'request-disowned':
    'The member said later that somebody else used the account. It is not paid; an operator can give it up.',
  'member-in-debt':
    'The member’s balance is below zero. The payment waits until new points fill it, or until an operator gives it up.',
  'withdrawals-suspended': 'Withdrawals of this member are suspended.',
  'cap-of-member':
    'The daily limit of this member is {capPoints} points, and {usedPoints} of them are approved already.',
  'cap-of-method':
    'The daily limit of this method is {capPoints} points, and {usedPoints} of them are approved already.',
  'cap-ends': 'The day ends at {endAt}.',
  'payout-halted':
    'An operator stopped this payout: nothing is paid for it. It ends as soon as it is certain that nothing was paid.',
  'process-at-work': 'Process {pid} on {host} is working on these payouts.',
  'other-process': 'Another process works on this payout.',
  'other-node-has-turn': 'Another node has the turn.',
  'step-timed-out': 'This step did not end in its time. It is tried again.',
  'sweep-failed': 'The payouts of this method could not be worked on.',
  'waits-for-payout': 'This payout waits for payout {payoutId}.',
  // What the outside party says of a payment.
  'payout-refused': 'The payout was refused:',
  'payment-unlisted': 'The account that pays does not list this payment.',
  'sent-again-refused': 'It was sent again and not taken:',
  'payment-replaced': '{reference} replaced it and paid the amount.',
  'payment-of-another-payout': '{reference} is another payout’s payment.',
  'own-payment-made': '{reference} was prepared for this payout and was made after all.',
  'payment-recorded-here':
    'The record of sent payments says that {reference} paid this withdrawal: mark it as paid with it.',
  'retry-takes-payment': 'Try the payout again: it takes this payment.',
  'former-payment-open': '{reference} was prepared for this payout before, and may still be made.',
  'payment-of-former-account': '{reference} was prepared for this payout from an account that pays no more.',
  'look-payment-up':
    'Look it up: if it was made, mark the payout as paid with it. Try again or give up only if it can never be made.',
  'payment-can-be-made':
    'It was not sent as far as one sees, and it still can be: try the payout again, and this payment is sent.',
  'payment-was-sent': 'It was sent: mark the payout as paid with it as soon as it is final.',
  'former-payments-undone': 'A former payment of this payout can never be made any more: {referenceList}.',
  'retry-or-give-up': 'Nothing else may have paid it: try it again, or give it up.',
  'former-payment-made': '{reference} was made after all.',
  'payment-of-withdrawal': 'It is the payment of withdrawal {withdrawalId}.',
  'payment-of-failed-withdrawal':
    'It is the payment of withdrawal {withdrawalId}, which failed: its points were returned.',
  'other-payout-has-payment': 'Another payout has this payment.',
  'pays-another-amount': 'It pays this recipient {paidAmount}, and the payout is {payoutAmount}.',
  'payment-not-final': '{reference} is not final yet, so its amount can’t be accepted.',
  'payment-impossible': 'The outside party says that this payment can never be made.',
  'payment-undecided': '{reference} is not final and may still be made. Ask again later.',
  'pays-without-rate':
    'It pays {paidAmount}, and no rate of that time is stored. State this amount to accept it.',
  'pays-without-quote': 'It pays {paidAmount}.',
  'pays-unlike-quote':
    'It pays {paidAmount}, and an approval would have paid {quotedAmount} then. State this amount to accept it.',
  'state-amount': 'State this amount to accept it.',
  // Payments that may have paid already.
  'payout-possibly-paid': 'This payout may be paid already.',
  'request-possibly-paid': 'This request may be paid already.',
  'possible-payments': 'No payout accounts for these payments to it: {paymentList}.',
  'possible-payments-unlisted':
    'These payments may have paid it, and the list shows them no more: {referenceList}.',
  'member-possibly-paid':
    'Payment {reference} of {paidPoints} points to this member is unaccounted for; run `npm run admin -- reconcile`.',
  'points-possibly-paid':
    'These points may be paid already: after a restore a payment is to be looked at or a method to be compared; ' +
    'run `npm run admin -- reconcile`.',
  'other-methods-wait':
    'These points may be paid already by another method, which waits for a comparison: {methodList}.',
  'other-account':
    'The account that pays is another one than before, so its list does not show what was paid. ' +
    'Connect the former one, or run `npm run admin -- reconcile --new-account METHOD REASON`.',
  // After another database was found.
  'accounts-to-connect':
    'Each account that paid since the copy must be connected once, so that its list is compared: {accountList}.',
  'must-compare': 'The payments must be compared first.',
  'could-not-compare': 'The payments must be compared first:',
  'methods-wait': 'Requests and payouts of all methods wait for a comparison of these: {methodList}.',
  'one-payment-unaccounted': 'No payout accounts for 1 payment; run `npm run admin -- reconcile`.',
  'payments-unaccounted': 'No payout accounts for {paymentCount} payments; run `npm run admin -- reconcile`.',
  'one-request-checked':
    '1 pending request may be paid already; in the queue, say which payment paid it, or that none did.',
  'requests-checked':
    '{requestCount} pending requests may be paid already; in the queue, say of each which payment paid it, if any.',
  'approved-in-copy':
    'The copy of the database that was restored has this approval, which may have been taken back since. ' +
    'Retry the payout or give it up.',
  'act-of-copy':
    'An older copy of the database was restored, and this decision may have been taken back since. Decide anew.',
  'one-approval-parked':
    '1 payout was approved in the copy that was restored. Retry it or give it up on the page Payouts, Checking.',
  'approvals-parked':
    '{payoutCount} payouts were approved in the restored copy. Retry or give up each on the page Payouts, Checking.',
  'marker-missing':
    'This node has no marker of the payments that were made, and the database has withdrawals.',
  'marker-unusable': 'The marker of payments in DATA_DIR can’t be read or written: {code}.',
  'database-other': 'The database is another one than this node last used.',
  'database-older':
    'The database knows {knownCount} payments, and this node knows of {markedCount}: an older copy was restored.',
  'database-forked':
    'Up to payment {markedCount} the database knows others than this node: an older copy was restored and used.',
  'acts-older':
    'The audit trail has {knownCount} acts, and this node knows of {markedCount}: an older copy was restored.',
  'acts-forked':
    'Up to act {markedCount} the audit trail has others than this node knows: an older copy was restored and used.',
  'former-account-unlisted':
    'A former account paid some payouts of the last 35 days, and the present one does not list them.',
  // The account of a method, and its test.
  'credentials-unreadable':
    'The credentials of this method can’t be read. If APP_SECRET was changed, start with the former one; else enter ' +
    'them again.',
  'settings-invalid': 'The settings of this method are not valid:',
  'rail-not-set-up': 'The payments of this method could not be set up. The log has the cause.',
  'method-not-offered': 'The method is switched on, but members are not offered it.',
  'account-complete': 'Everything that the account needs is set.',
  'account-may-pay': 'Payouts may be paid from this account.',
  'account-incomplete': 'Not set: {nameList}.',
  'party-unexpected': 'What answered is not the expected party. The log has the cause.',
  // Rates.
  'rate-jumped':
    'The rate of {currency} moved from {fromRate} to {toRate}, further than the limit. An operator must confirm it.',
  'rate-source-silent': 'The rate source {source} did not answer with rates: {answerText}.',
  'rate-missing-at-source': 'The rate source {source} has no usable rate of {currency}.',
  'rate-of-another-time': 'The rate of {currency} at {source} is of another time: {pricedAt}.',
  'rate-missing': 'No source has a rate of {currency}.',
  'rates-differ': 'The sources of the rate of {currency} differ by more than {percent}%: {priceList}.',
} as const;
