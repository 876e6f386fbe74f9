import type { SentenceName } from '#contract/operator-sentences.ts';

/** The server's sentences for operators in Korean. The English ones are in `contract/operator-sentences.ts`. */
export const koreanSentences: Record<SentenceName, string> = {
  'our-fault': '서버 오류입니다. 로그를 확인해 주세요.',
  'look-first': '표시된 확인 사항을 먼저 살펴봐야 합니다.',
  'first-approval-given':
    '그사이 다른 운영자가 1차 승인을 했거나 직접 승인한 금액이 줄어 이번 승인으로 바로 지급됩니다. 다시 확인하세요.',
  'own-plan-unfinished': '먼저 요청한 전체 신청 확인이 아직 끝나지 않았습니다. 잠시 후 다시 시도하세요.',
  'other-plans-unfinished': '다른 운영자가 전체 신청을 확인하고 있습니다. 잠시 후 다시 시도하세요.',
  'no-operator-any-more':
    '요청한 사람이 더 이상 운영자가 아니거나, 다른 사람이 계정을 사용했다고 신고했습니다. 처리하지 않았습니다.',
  'act-stopped': '운영자가 일괄 처리를 중지해 이 신청은 처리하지 않았습니다.',
  'payout-queued': '지급 순서를 기다리고 있습니다.',
  'payout-delayed': '승인을 취소할 수 있는 시간이 지나면 지급을 준비합니다.',
  'payout-signed': '준비를 마쳤고 곧 송금합니다.',
  'payout-broadcast': '송금했으며 아직 확정되지 않았습니다.',
  'payout-parked': '지급 여부를 확인하고 있으며, 주기적으로 다시 조회합니다.',
  'payouts-paused': '운영자가 지급을 일시 중지했습니다. 재개할 때까지 서명하거나 송금하지 않습니다.',
  'member-suspended':
    '이 회원의 출금이 정지되어 있습니다. 정지가 풀리거나 운영자가 지급을 포기할 때까지 기다립니다.',
  'request-disowned':
    '회원이 나중에 다른 사람이 계정을 사용했다고 신고했습니다. 지급하지 않으며, 운영자가 지급을 포기할 수 있습니다.',
  'member-in-debt':
    '회원의 잔액이 마이너스입니다. 새로 모은 포인트로 채우거나 운영자가 지급을 포기할 때까지 기다립니다.',
  'withdrawals-suspended': '이 회원의 출금이 정지되어 있습니다.',
  'cap-of-member': '이 회원의 하루 한도는 {capPoints} P이며, 이미 {usedPoints} P를 승인했습니다.',
  'cap-of-method': '이 출금 방식의 하루 한도는 {capPoints} P이며, 이미 {usedPoints} P를 승인했습니다.',
  'cap-ends': '한도는 {endAt}에 초기화됩니다.',
  'payout-halted':
    '운영자가 지급을 중단해 더 이상 송금하지 않습니다. 송금된 적이 없다고 확인되면 종료됩니다.',
  'process-at-work': '{host} 서버의 프로세스 {pid}에서 이 지급을 처리하고 있습니다.',
  'other-process': '다른 프로세스가 이 지급을 처리하고 있습니다.',
  'other-node-has-turn': '다른 노드에서 처리하고 있습니다.',
  'step-timed-out': '이 단계가 제시간에 끝나지 않았습니다. 다시 시도합니다.',
  'sweep-failed': '이 출금 방식의 지급을 처리하지 못했습니다.',
  'waits-for-payout': '다른 지급({payoutId})이 끝나기를 기다립니다.',
  'payout-refused': '지급이 거부되었습니다:',
  'payment-unlisted': '지급 계정의 내역에 이 거래가 없습니다.',
  'sent-again-refused': '다시 보냈지만 받아들여지지 않았습니다:',
  'payment-replaced': '거래가 {reference}(으)로 대체되어 같은 금액이 지급되었습니다.',
  'payment-of-another-payout': '{reference}: 다른 지급의 거래입니다.',
  'own-payment-made': '{reference}: 이 건을 위해 준비했던 거래이며, 나중에 송금되었습니다.',
  'payment-recorded-here':
    '송금 기록에 따르면 {reference} 거래로 이 출금이 이미 지급되었습니다. 이 거래로 지급 완료 처리하세요.',
  'retry-takes-payment': '지급을 다시 시도하면 이 거래로 처리합니다.',
  'former-payment-open': '{reference}: 전에 이 건을 위해 준비했던 거래이며, 아직 송금될 수 있습니다.',
  'payment-of-former-account': '{reference}: 지금은 쓰지 않는 계정에서 이 지급을 위해 준비했던 거래입니다.',
  'look-payment-up':
    '직접 조회해 보고, 송금되었으면 이 거래로 지급 완료 처리하세요. 송금될 가능성이 전혀 없을 때만 다시 시도하거나 포기하세요.',
  'payment-can-be-made':
    '아직 송금되지 않은 것으로 보이지만 지금도 송금될 수 있습니다. 다시 시도하면 이 거래를 그대로 보냅니다.',
  'payment-was-sent': '이미 송금된 거래이므로, 확정되면 이 거래로 지급 완료 처리하세요.',
  'former-payments-undone': '이 건의 이전 거래는 더 이상 송금될 수 없습니다: {referenceList}.',
  'retry-or-give-up': '이 건을 지급했을 만한 다른 거래는 없습니다. 다시 시도하거나 포기하세요.',
  'former-payment-made': '{reference}: 나중에 송금되었습니다.',
  'payment-of-withdrawal': '다른 출금({withdrawalId})의 거래입니다.',
  'payment-of-failed-withdrawal': '실패해서 포인트를 돌려준 출금({withdrawalId})의 거래입니다.',
  'other-payout-has-payment': '이미 다른 지급에 연결된 거래입니다.',
  'pays-another-amount': '이 거래로 받는 곳에 {paidAmount}만큼 보냈지만 지급할 금액은 {payoutAmount}입니다.',
  'payment-not-final': '{reference}: 아직 확정되지 않은 거래이므로 그 금액을 인정할 수 없습니다.',
  'payment-impossible': '지급처에 따르면 이 거래는 더 이상 처리될 수 없습니다.',
  'payment-undecided':
    '{reference}: 아직 확정되지 않았고, 나중에 처리될 수 있는 거래입니다. 잠시 후 다시 확인하세요.',
  'pays-without-rate':
    '이 거래의 금액은 {paidAmount}인데 그 시각의 시세 기록이 없습니다. 인정하려면 이 금액을 입력하세요.',
  'pays-without-quote': '이 거래의 금액은 {paidAmount}입니다.',
  'pays-unlike-quote':
    '이 거래의 금액은 {paidAmount}인데 당시 승인했다면 {quotedAmount}입니다. 인정하려면 이 금액을 입력하세요.',
  'state-amount': '인정하려면 이 금액을 입력하세요.',
  'payout-possibly-paid': '이미 지급되었을 수 있습니다.',
  'request-possibly-paid': '이 신청은 이미 지급되었을 수 있습니다.',
  'possible-payments': '같은 곳으로 보낸 거래 가운데 지급 기록과 연결되지 않은 것: {paymentList}.',
  'possible-payments-unlisted': '이 건을 지급했을 수 있으나 지금은 내역에 없는 거래: {referenceList}.',
  'member-possibly-paid':
    '이 회원에게 {paidPoints} P를 지급한 거래({reference})가 지급 기록과 연결되어 있지 않습니다. `npm run admin -- reconcile`을 실행하세요.',
  'points-possibly-paid':
    '이미 지급한 포인트일 수 있습니다. 복원한 뒤 확인할 거래나 대조할 출금 방식이 남아 있으니 `npm run admin -- reconcile`을 실행하세요.',
  'other-methods-wait':
    '다른 방식으로 이미 지급한 포인트일 수 있습니다. 먼저 대조가 끝나야 하는 출금 방식: {methodList}.',
  'other-account':
    '지급 계정이 이전과 달라 내역에서 지난 지급을 확인할 수 없습니다. ' +
    '이전 계정을 연결하거나 `npm run admin -- reconcile --new-account METHOD REASON`을 실행하세요.',
  'accounts-to-connect':
    '복사본을 만든 뒤에 지급한 계정은 내역을 대조할 수 있도록 한 번씩 연결해야 합니다: {accountList}.',
  'must-compare': '먼저 거래를 대조해야 합니다.',
  'could-not-compare': '먼저 거래를 대조해야 합니다:',
  'methods-wait': '다음 출금 방식의 대조가 끝날 때까지 모든 방식의 신청과 지급이 대기합니다: {methodList}.',
  'one-payment-unaccounted':
    '지급 기록과 연결되지 않은 거래가 1건 있습니다. `npm run admin -- reconcile`을 실행하세요.',
  'payments-unaccounted':
    '지급 기록과 연결되지 않은 거래가 {paymentCount}건 있습니다. `npm run admin -- reconcile`을 실행하세요.',
  'one-request-checked':
    '이미 지급되었을 수 있는 대기 신청이 1건 있습니다. 출금 대기열에서 신청을 열어 지급한 거래를 입력하거나, 해당하는 거래가 없다고 확인해 주세요.',
  'requests-checked':
    '이미 지급되었을 수 있는 대기 신청이 {requestCount}건 있습니다. 출금 대기열에서 각 신청을 열어 지급한 거래를 입력하거나, 해당하는 거래가 없다고 확인해 주세요.',
  'approved-in-copy':
    '복원된 데이터베이스 복사본에 있는 승인으로, 복사본을 만든 뒤에 취소되었을 수 있습니다. 다시 시도하거나 포기해 주세요.',
  'act-of-copy':
    '예전 데이터베이스 복사본이 복원되었고, 그 뒤에 이 결정이 취소되었을 수 있습니다. 다시 결정해 주세요.',
  'one-approval-parked':
    '복원된 복사본에서 승인된 지급이 1건 있습니다. 지급 화면의 ‘확인 중’에서 다시 시도하거나 포기해 주세요.',
  'approvals-parked':
    '복원된 복사본에서 승인된 지급이 {payoutCount}건 있습니다. 지급 화면의 ‘확인 중’에서 각각 다시 시도하거나 포기해 주세요.',
  'marker-missing':
    '데이터베이스에는 출금 기록이 있으나 이 노드에는 지급 기록을 확인할 표시 파일이 없습니다.',
  'marker-unusable': 'DATA_DIR의 지급 표시 파일을 읽거나 쓸 수 없습니다: {code}.',
  'database-other': '이 노드가 마지막으로 사용한 것과 다른 데이터베이스입니다.',
  'database-older':
    '데이터베이스의 지급은 {knownCount}건인데 이 노드가 아는 지급은 {markedCount}건입니다. 예전 복사본이 복원되었습니다.',
  'database-forked':
    '{markedCount}번째까지의 지급이 이 노드의 기록과 다릅니다. 예전 복사본이 복원되어 사용되었습니다.',
  'acts-older':
    '데이터베이스의 감사 기록은 {knownCount}건인데 이 노드가 아는 기록은 {markedCount}건입니다. 예전 복사본이 복원되었습니다.',
  'acts-forked':
    '{markedCount}번째까지의 감사 기록이 이 노드의 기록과 다릅니다. 예전 복사본이 복원되어 사용되었습니다.',
  'former-account-unlisted':
    '최근 35일의 지급 가운데 일부는 이전 계정에서 지급해, 지금 계정의 내역에 없습니다.',
  'credentials-unreadable':
    '이 출금 방식의 접속 정보를 읽을 수 없습니다. APP_SECRET을 바꿨다면 이전 값으로 시작하고, 아니면 접속 정보를 다시 ' +
    '입력해 주세요.',
  'settings-invalid': '이 출금 방식의 설정이 올바르지 않습니다:',
  'rail-not-set-up': '이 출금 방식을 준비하지 못했습니다. 원인은 로그를 확인해 주세요.',
  'method-not-offered': '이 출금 방식은 켜져 있지만 회원에게는 표시되지 않습니다.',
  'account-complete': '계정에 필요한 항목이 모두 입력되어 있습니다.',
  'account-may-pay': '이 계정으로 지급할 수 있습니다.',
  'account-incomplete': '입력되지 않은 항목: {nameList}.',
  'company-silent': '{company}에서 제시간에 응답하지 않았습니다.',
  'company-refuses': '{company}에서 다음 인증 정보를 거부했습니다: {nameList}.',
  'company-unexpected': '{company}에서 상태 {status}(으)로 응답해 인증 정보를 확인할 수 없습니다.',
  'company-knows': '{company}에서 인증 정보를 확인했습니다.',
  'paypal-no-payouts': '인증 정보는 맞지만 이 앱에는 지급 권한이 없습니다. PayPal에서 지급 기능을 켜세요.',
  'paypal-payouts': '이 앱으로 지급할 수 있습니다.',
  'paypal-balance': '계정 잔액은 {usd} USD입니다.',
  'paypal-no-balance': '이 앱은 잔액을 조회할 수 없습니다. 지급에는 필요하지 않습니다.',
  'nowpayments-no-sign-in': '이메일과 비밀번호가 없습니다. 지급할 때 필요합니다.',
  'nowpayments-signed-in': 'NOWPayments에서 이메일과 비밀번호를 확인했습니다.',
  'wallet-not-asked': '아직 확인하지 않았습니다. 1분마다 확인합니다.',
  'wallet-silent': '몇 분째 응답이 없습니다.',
  'wallet-not-watched': '출금 방식이 꺼져 있어 지갑을 확인하지 않습니다.',
  'party-unexpected': '예상하지 않은 서버가 응답했습니다. 원인은 로그를 확인해 주세요.',
  'rate-jumped':
    '{currency} 시세가 {fromRate}에서 {toRate}(으)로 허용 범위를 넘어 바뀌었습니다. 운영자가 확인해야 합니다.',
  'rate-source-silent': '{source}에서 시세를 받지 못했습니다: {answerText}.',
  'rate-missing-at-source': '{source}에 쓸 수 있는 {currency} 시세가 없습니다.',
  'rate-of-another-time': '{source}의 {currency} 시세는 현재 시각의 시세가 아닙니다: {pricedAt}.',
  'rate-missing': '{currency} 시세를 제공하는 곳이 없습니다.',
  'rates-differ': '{currency} 시세가 출처끼리 {percent}% 넘게 차이 납니다: {priceList}.',

  'node-unreachable': '노드에 연결할 수 없습니다.',
  'node-late': '노드가 제시간에 응답하지 않았습니다.',
  'node-broke-off': '노드와의 연결이 끊어졌습니다.',
  'node-refused-password': '노드에서 RPC 사용자 이름이나 비밀번호를 거부했습니다.',
  'node-refuses-server': '노드에서 이 서버의 호출을 거부합니다.',
  'node-busy': '노드의 처리량이 많아 응답하지 못하고 있습니다.',
  'node-starting': '노드가 시작되는 중입니다.',
  'node-without-json': '노드의 응답({status})이 JSON이 아닙니다.',
  'node-without-result': '노드의 응답({status})에 결과가 없습니다.',
  'node-unknown-error': '노드에서 알 수 없는 오류({status})가 발생했습니다.',
  'node-other-chain': '노드가 {chain} 체인을 사용하지 않습니다.',
  'node-fetching': '노드가 아직 블록을 내려받고 있습니다.',
  'node-behind':
    '노드가 뒤처져 있습니다. 블록 {headerCount}개 가운데 {blockCount}개만 받았습니다. 나머지를 받을 때까지 기다려 주세요.',
  'node-alone': '노드에 연결된 피어가 없어 뒤처져 있을 수 있습니다. 네트워크에 연결해 주세요.',
  'node-old-blocks':
    '노드의 최신 블록이 {newestAt}의 것이라 뒤처져 있을 수 있습니다. 피어와 시계를 확인해 주세요.',
  'node-says': '노드가 오류로 응답했습니다:',
  'node-estimates-no-fee':
    '노드가 네트워크 수수료를 추정하지 못해 송금하지 않고 기다립니다. 몇 시간 연결되어 있으면 추정할 수 있습니다. ' +
    '그때까지는 노드 설정에 fallbackfee(예: fallbackfee=0.0002)를 지정하고 노드를 다시 시작해 주세요. 노드의 응답:',
  'node-fee-above-cap':
    '네트워크 수수료가 노드에 설정된 한도를 넘습니다. ' +
    '수수료가 내릴 때까지 기다리거나 노드 설정의 maxtxfee를 올려 주세요. 노드의 응답:',
  'node-fee-below-floor':
    '네트워크 수수료가 지금 노드에서 전파하는 최소 수수료보다 낮습니다. 다시 전송합니다. ' +
    '수수료가 계속 높으면 노드 설정의 paytxfee를 올려 주세요. 노드의 응답:',
  'node-chain-too-long':
    '블록에 담기기를 기다리는 거래가 너무 많이 이어져 있습니다. 다음 블록 뒤에 계속합니다. 노드의 응답:',
  'wallet-lacks-coins':
    '지갑에 지금 쓸 수 있는 코인이 부족합니다. 지갑에 코인을 보내거나 지갑의 코인이 확인될 때까지 기다려 주세요. 노드의 응답:',
  'wallet-lacks-keys':
    '거스름돈을 받을 주소가 지갑에 남아 있지 않습니다. 지갑의 잠금을 풀고 노드에서 keypoolrefill을 실행해 주세요. 노드의 응답:',
  'wallet-coins-too-small':
    '작은 코인이 너무 많아 한 번에 지급할 수 없습니다. 지갑의 잔액을 지갑 자신의 주소로 보내 코인을 합쳐 주세요. 노드의 응답:',
  'host-not-allowed': 'RPC_ALLOWED_HOSTS에 없는 호스트입니다',
  'node-answers': '노드가 응답합니다.',
  'node-answers-as': '노드가 응답합니다: {versionText}.',
  'node-on-network': '{network} 네트워크에 연결되어 있습니다.',
  'node-on-other-network': '노드는 {network} 네트워크에 있지만 이 사이트는 {payingNetwork}에서 지급합니다.',
  'node-in-sync': '동기화되었습니다. 현재 블록은 {height}번입니다.',
  'wallet-without-keys': '지갑에 개인 키가 없어 서명할 수 없습니다. 지급용 지갑을 불러와 주세요.',
  'wallet-can-not-sign': '지갑이 잠겨 있어 서명할 수 없습니다. walletpassphrase로 잠금을 풀어 주세요.',
  'wallet-blank':
    '지갑이 비어 있어 거스름돈을 받을 키가 없으므로 서명할 수 없습니다. 지급용 지갑을 불러와 주세요.',
  'wallet-can-sign': '지갑을 불러왔고 서명할 수 있습니다.',
  'wallet-can-pay': '지급할 수 있는 금액은 {amount}입니다.',
  'wallet-not-loaded': '노드에 해당 지갑이 열려 있지 않습니다.',
  'wallets-loaded': '노드에 지갑이 여러 개 열려 있습니다. 하나만 남기고 닫아 주세요.',
  'wallet-locked': '지갑이 잠겨 있습니다.',
  'coins-taken': '지갑이 끝나지 않은 지급의 코인을 선택했습니다.',
  'not-signed': '지갑이 모든 입력에 서명하지는 못했습니다.',
  'not-complete': '서명한 거래가 완전하지 않습니다.',
  'fee-above-cap': '네트워크 수수료가 한도를 넘습니다.',
  'pays-not-as-ordered': '서명한 거래가 지급할 내용과 다릅니다.',
  'pays-somebody-else': '서명한 거래에 다른 사람에게 보내는 금액이 있습니다.',
  'address-wrong': '노드에서 잘못된 주소라고 응답했습니다.',
  'address-mweb': 'MWEB 주소로는 지급하지 않습니다.',
  'address-own': '지급용 지갑 자신의 주소입니다.',
  'amount-too-small-for-coin': '이 코인으로 지급하기에는 금액이 너무 작습니다.',
  'amount-too-small-for-network': '네트워크에서 허용하는 최소 금액보다 작습니다.',
  'artifact-unreadable':
    '저장된 거래를 읽을 수 없습니다. 거래를 만든 버전을 실행하거나 백업에서 복원해 주세요.',
  'transaction-unlisted':
    '지급용 지갑의 내역에 이 거래가 없습니다. 다른 지갑에서 보낸 거래는 추적할 수 없습니다.',
  'transaction-replaced': '다른 거래로 대체되었습니다.',
  'transaction-replaced-by': '다른 거래로 대체되었습니다: {transactionId}.',
  'coins-spent-deep': '다른 거래에서 같은 코인을 먼저 사용했습니다(블록 {blockCount}개 전).',
  'coins-spent-by': '{transactionId} 거래에서 같은 코인을 먼저 사용했습니다(블록 {blockCount}개 전).',
  'coins-spent-waiting': '{transactionId} 거래에서 같은 코인을 사용했으며 블록에 담기기를 기다리고 있습니다.',
  'coins-spent-other-amount':
    '{transactionId} 거래에서 같은 코인을 사용해 같은 주소로 다른 금액을 보냈습니다.',
  'coins-spent-otherwise': '코인이 다른 곳에 사용되어 지급을 끝낼 수 없습니다.',
  'change-replaced':
    '{transactionId} 거래의 거스름돈을 사용하는데, 그 거래가 다른 거래로 대체되었습니다(블록 {blockCount}개 전).',
  'change-not-relayed':
    '{transactionId} 거래의 거스름돈을 사용하는데, 노드가 그 거래를 더 이상 전파하지 않습니다.',
  'coin-unknown': '{transactionId} 거래의 코인을 사용하는데, 지갑이 그 거래를 알지 못합니다.',

  'turn-failed': '마지막 실행에 실패했습니다:',
  'lease-not-renewed': '이 노드가 맡은 작업의 잠금을 갱신하지 못했습니다.',
  'lease-not-asked': '작업 잠금을 요청하지 못해 이 작업을 맡은 노드가 없을 수 있습니다.',
  'lease-of-nodes-not-renewed': '잠금을 갱신하지 못해 Redis를 쓰지 않는 노드가 함께 시작될 수 있습니다.',
  'database-silent': '데이터베이스가 {secondCount}초 동안 응답하지 않았습니다.',
  'database-refuses-writes': '데이터베이스에 쓸 수 없습니다:',
  'database-disk-full': '디스크가 가득 찼습니다. 공간이 생기면 계속합니다.',
  'database-starts-again': '다시 시작하고 있습니다.',
  'database-settings': '관리자가 실행해야 하는 명령:',
  'site-timezone': 'SITE_TIMEZONE은 {configuredZone}인데 이 사이트의 날짜는 {siteZone} 기준입니다.',
  'site-timezone-mended':
    '설정을 맞추거나 `npm run admin -- timezone ZONE`으로 사이트의 시간대를 바꿔 주세요.',
  'redis-silent':
    'Redis가 응답하지 않습니다. 호출 횟수는 노드마다 따로 집계하고, 새 소식은 같은 노드에 연결된 화면에만 전달됩니다.',
  'job-worker-ended': '작업 처리기가 종료되어 새로 시작하고 있습니다.',
  'job-queue-silent': '작업 대기열이 응답하지 않습니다.',
  'proxy-untrusted':
    'X-Forwarded-For가 붙은 호출이 {peerList}에서 들어오지만 TRUSTED_PROXIES에 등록되어 있지 않습니다.',
  'proxy-named':
    '직접 운영하는 프록시라면 등록해 주세요. 지금은 프록시 뒤의 모든 회원이 한 주소로 집계됩니다.',
  'proxy-unreadable':
    '프록시({peer})가 읽을 수 있는 주소를 전달하지 않아 프록시 뒤의 모든 회원이 한 주소로 집계됩니다. 받은 X-Forwarded-For:',
  'mail-not-sent': '메일을 보내지 못했습니다:',
  'bounces-not-read': 'IMAP_URL의 메일함을 읽을 수 없습니다:',
  'terms-mailed-to-nobody':
    '확인된 주소가 모두 없는 주소로 처리되어, 약관 변경 안내 메일을 받은 회원이 없습니다.',
  'captcha-silent': '캡차를 확인할 수 없습니다:',
  'captcha-refuses-site':
    'hCaptcha가 HCAPTCHA_SECRET과 HCAPTCHA_SITEKEY를 받아들이지 않아 아무도 가입할 수 없습니다:',
  'text-messages-fail': '문자 메시지를 보낼 수 없습니다:',
  'trail-differs': '감사 기록의 {number}번 행이 이 노드가 이전에 확인한 내용과 다릅니다.',
  'books-differ': '마지막 장부 감사에서 불일치가 {findingCount}건 나왔습니다. 장부 화면을 확인해 주세요.',
  'books-not-checked':
    '마지막 장부 감사에서 {checkCount}개 항목을 확인하지 못했습니다. 장부 화면을 확인해 주세요.',
  'check-failed': '점검하지 못했습니다:',
  'books-left-out': '마지막 장부 감사에서 일부를 확인하지 않았습니다.',
  'ceiling-of-hour': '최근 한 시간 동안 {paidPoints} P를 지급했고 상한은 {limitPoints} P입니다.',
  'ceiling-of-day': '최근 하루 동안 {paidPoints} P를 지급했고 상한은 {limitPoints} P입니다.',
  'ceiling-reached': '{reachedAt}부터 상한을 넘는 적립은 운영자의 확인을 기다립니다.',
  'provider-complete': '공개 ID와 비밀 키가 입력되어 있습니다.',
  'provider-value-missing': '입력되지 않은 항목: {labelText}.',
  'provider-value-malformed': '{providerText} 형식에 맞지 않는 항목: {labelText}.',
  'provider-secret-missing': '입력되지 않았거나 저장된 값을 읽을 수 없는 항목: {labelText}.',
  'wall-answers': '오퍼월이 응답합니다.',
  'site-reached': '제공사가 호출하는 PUBLIC_URL로 이 사이트에 연결됩니다.',
  'provider-silent': '최근에 제공사가 호출한 적이 없습니다.',
  'call-signed': '가장 최근 호출({calledAt})의 서명이 올바릅니다.',
  'calls-fit-secret': '최근 거부한 호출 {refusedCount}건 가운데 {fittingCount}건이 이 비밀 키와 맞습니다.',
  'call-refused':
    '가장 최근 호출을 서명 때문에 거부했습니다. 제공사가 보낸 호출이라면 비밀 키가 서로 다릅니다.',
  'calls-refused': '최근 호출 {refusedCount}건을 서명 때문에 거부했습니다.',
  'other-secret': '제공사가 보낸 호출이라면 비밀 키가 서로 다릅니다.',
  'host-error': '{host}에서 오류({status})를 반환했습니다.',
  'host-private': '{host}: 내부 네트워크의 주소입니다.',
  'host-late': '{host}에서 {secondCount}초 안에 응답하지 않았습니다.',
  'host-unknown': '{host} 호스트를 찾을 수 없습니다.',
  'host-without-certificate': '{host}의 인증서가 올바르지 않습니다({code}).',
  'host-unreachable': '{host}에 연결할 수 없습니다({code}).',
};
