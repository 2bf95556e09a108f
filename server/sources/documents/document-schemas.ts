import type { DocumentType } from '#server/protocol/platform/database.ts';
import type { ForeignKey } from '../surveys/found-table.ts';
import type { DocumentColumnType, DocumentTable } from './document.ts';

/**
 * What is looked for in a document of each type (API 10.1). A table is written `name: column column:type …`; columns are texts where no type stands
 * behind them, and `column>table.column` is a foreign key. Amounts are in the currency of the document.
 */
const SCHEMAS: Readonly<Record<DocumentType, readonly string[]>> = {
    'check.us': ['bank_check: number date:date payer payee amount:double amount_in_words memo bank routing_number account_number'],
    'bankStatement.us': [
        'account: number holder bank routing_number type period_start:date period_end:date opening_balance:double closing_balance:double',
        'account_transaction: account_number>account.number date:date description amount:double balance:double',
    ],
    'payStub.us': [
        'pay_stub: employee employer pay_date:date period_start:date period_end:date gross_pay:double net_pay:double gross_pay_year:double net_pay_year:double',
        'pay_item: pay_date:date kind description hours:double rate:double amount:double amount_year:double',
    ],
    creditCard: ['credit_card: holder number issuer network valid_from:date valid_until:date'],
    invoice: [
        'invoice: number date:date due_date:date vendor vendor_address vendor_tax_id customer customer_address customer_tax_id purchase_order currency subtotal:double tax:double total:double amount_due:double',
        'invoice_item: invoice_number>invoice.number position:int description quantity:double unit unit_price:double tax_rate:double amount:double',
    ],
    'idDocument.driverLicense': [
        'driver_license: number first_name last_name birth_date:date sex address issuer country issue_date:date expiry_date:date vehicle_classes restrictions',
    ],
    'idDocument.passport': [
        'passport: number type first_name last_name nationality birth_date:date birth_place sex issuer country issue_date:date expiry_date:date machine_readable_zone',
    ],
    'idDocument.nationalIdentityCard': [
        'identity_card: number first_name last_name nationality birth_date:date birth_place sex address issuer country issue_date:date expiry_date:date',
    ],
    'idDocument.residencePermit': [
        'residence_permit: number category first_name last_name nationality birth_date:date birth_place sex issuer country issue_date:date expiry_date:date remarks',
    ],
    'idDocument.usSocialSecurityCard': ['social_security_card: number first_name last_name issue_date:date'],
    'receipt.retailMeal': [
        'receipt: number merchant merchant_address merchant_phone date:date time currency subtotal:double tax:double tip:double total:double',
        'receipt_item: receipt_number>receipt.number description quantity:double unit_price:double amount:double',
    ],
    'receipt.creditCard': [
        'card_payment: merchant merchant_address date:date time currency amount:double tip:double total:double card_network card_number authorization_code',
    ],
    'receipt.gas': [
        'fuel_receipt: merchant merchant_address date:date time pump fuel quantity:double unit unit_price:double currency tax:double total:double',
    ],
    'receipt.parking': [
        'parking_receipt: operator location date:date entry_time exit_time duration vehicle_plate currency tax:double total:double',
    ],
    'receipt.hotel': [
        'hotel_bill: number hotel hotel_address guest arrival:date departure:date room currency subtotal:double tax:double total:double',
        'hotel_charge: bill_number>hotel_bill.number date:date category description amount:double',
    ],
    'tax.us.1040.2023': [
        'tax_return: tax_year:int filing_status first_name last_name social_security_number spouse_name spouse_social_security_number address total_income:double adjusted_gross_income:double deductions:double taxable_income:double total_tax:double total_payments:double refund:double amount_owed:double',
        'dependent: taxpayer_social_security_number>tax_return.social_security_number name social_security_number relationship',
    ],
    'tax.us.w2': [
        'w2: tax_year:int employee employee_social_security_number employee_address employer employer_id employer_address wages:double federal_tax:double social_security_wages:double social_security_tax:double medicare_wages:double medicare_tax:double',
        'w2_state: employee_social_security_number>w2.employee_social_security_number state state_id wages:double tax:double',
    ],
    'tax.us.w4': [
        'w4: tax_year:int first_name last_name social_security_number address filing_status multiple_jobs:boolean dependents_amount:double other_income:double deductions:double extra_withholding:double signature_date:date employer employer_id first_employment_date:date',
    ],
    'tax.us.1095A': [
        'marketplace_statement: policy_number tax_year:int marketplace issuer recipient recipient_social_security_number spouse start_date:date end_date:date annual_premium:double annual_benchmark_premium:double annual_advance_payment:double',
        'covered_person: policy_number>marketplace_statement.policy_number name social_security_number birth_date:date start_date:date end_date:date',
        'covered_month: policy_number>marketplace_statement.policy_number month premium:double benchmark_premium:double advance_payment:double',
    ],
    'tax.us.1098': [
        'mortgage_interest: tax_year:int lender lender_id borrower borrower_id account_number interest:double principal:double origination_date:date refund:double insurance_premiums:double points:double property_address property_count:int',
    ],
    'tax.us.1099': [
        'information_return: form tax_year:int payer payer_id recipient recipient_id account_number federal_tax:double state state_tax:double',
        'information_amount: recipient_id>information_return.recipient_id box description amount:double',
    ],
    'mortgage.us.1003': [
        'loan_application: lender_case_number borrower borrower_social_security_number borrower_birth_date:date property_address property_value:double purpose occupancy loan_amount:double',
        'employment: borrower_social_security_number>loan_application.borrower_social_security_number employer position start_date:date monthly_income:double',
        'asset: borrower_social_security_number>loan_application.borrower_social_security_number type institution account_number value:double',
        'liability: borrower_social_security_number>loan_application.borrower_social_security_number type company account_number balance:double monthly_payment:double',
    ],
    'mortgage.us.1004': [
        'appraisal: file_number property_address borrower owner lender appraiser effective_date:date year_built:int living_area:double rooms:int bedrooms:int bathrooms:double contract_price:double appraised_value:double',
        'comparable_sale: file_number>appraisal.file_number address sale_price:double sale_date:date living_area:double adjusted_price:double',
    ],
    'mortgage.us.closingDisclosure': [
        'closing: loan_id issue_date:date closing_date:date borrower seller lender property_address sale_price:double loan_amount:double interest_rate:double loan_term_years:int monthly_payment:double total_closing_costs:double cash_to_close:double',
        'closing_cost: loan_id>closing.loan_id section description payer amount:double',
    ],
    contract: [
        'contract: title date:date effective_date:date end_date:date governing_law renewal value:double currency',
        'contract_party: contract_title>contract.title name role address',
        'contract_obligation: contract_title>contract.title party obligation due_date:date amount:double',
    ],
    'healthInsuranceCard.us': [
        'health_insurance_card: member_id member insurer plan group_number payer_id effective_date:date prescription_bin prescription_pcn prescription_group',
        'covered_dependent: member_id>health_insurance_card.member_id name',
        'copay: member_id>health_insurance_card.member_id service amount:double',
    ],
    'marriageCertificate.us': [
        'marriage: certificate_number license_number date:date place county state spouse spouse_birth_date:date other_spouse other_spouse_birth_date:date officiant filing_date:date',
        'marriage_witness: certificate_number>marriage.certificate_number name',
    ],
};

export function documentSchema(type: DocumentType): readonly DocumentTable[] {
    return SCHEMAS[type].map(tableOf);
}

function tableOf(written: string): DocumentTable {
    const [name = '', ...fields] = written.split(/:? /u);
    const foreignKeys: ForeignKey[] = [];
    const columns = fields.map(field => {
        const [, column = '', type = 'string', table, reference] = /^(\w+)(?::(\w+))?(?:>(\w+)\.(\w+))?$/u.exec(field) ?? [];
        if (table !== undefined && reference !== undefined) foreignKeys.push({ columns: [column], table, references: [reference] });
        return { name: column, type: type.toUpperCase() as DocumentColumnType };
    });
    return { name, columns, foreignKeys };
}
